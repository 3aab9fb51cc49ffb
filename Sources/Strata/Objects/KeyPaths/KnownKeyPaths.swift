import StrataQuery
import Synchronization

/// The properties that a key path reads: see ``persistedPath(of:)`` and ``readPath(of:)``.
struct KeyPathAnswer: Sendable {
  var path: PersistedPath?
  var read: PersistedPath?
}

/// A cache of answers for key paths, also by address: hashing a key path goes through all of its
/// parts, which takes about a thousand instructions.
///
/// A literal without captures is created once per place in the source, and lives forever. Key paths
/// that are combined at runtime are new but equal objects each time: a few of their addresses are
/// cached.
enum KnownKeyPaths {
  /// The cached answer for the key path or an equal one.
  static func answer(to keyPath: AnyKeyPath) -> KeyPathAnswer? {
    if let answer = firstKeyPaths.answer(to: keyPath) { return answer }
    return known.withLock { $0.answer(to: KnownKeyPath(keyPath: keyPath)) }
  }

  static func add(_ answer: KeyPathAnswer, to keyPath: AnyKeyPath) {
    known.withLock { $0.add(answer, to: KnownKeyPath(keyPath: keyPath)) }
  }

  private static let known = Mutex(Answers())
  // guarded by: nothing; each entry is atomic, is filled once, and keeps its answer for good.
  nonisolated(unsafe) private static let firstKeyPaths = FirstKeyPaths()

  private struct Answers {
    private struct Entry {
      let answer: KeyPathAnswer
      var addresses = 0
    }

    private var entries: [KnownKeyPath: Entry] = [:]
    private var byAddress: [ObjectIdentifier: AddressedAnswer] = [:]

    private static let maxAddressesOfOne = 4

    mutating func answer(to known: KnownKeyPath) -> KeyPathAnswer? {
      let address = ObjectIdentifier(known.keyPath)
      if let found = byAddress[address] { return found.answer }
      guard let entry = entries[known] else { return nil }
      if entry.addresses < Self.maxAddressesOfOne {
        entries[known]?.addresses += 1
        let addressed = AddressedAnswer(known, entry.answer)
        byAddress[address] = addressed
        firstKeyPaths.add(addressed)
      }
      return entry.answer
    }

    mutating func add(_ answer: KeyPathAnswer, to known: KnownKeyPath) {
      if entries[known] == nil { entries[known] = Entry(answer: answer) }
    }
  }
}

/// A key path of a model class. Such key paths are immutable, and so are the classes they name.
private struct KnownKeyPath: @unchecked Sendable, Hashable {
  // guarded by: nothing; immutable.
  let keyPath: AnyKeyPath
}

/// An answer that keeps its key path alive, so that no other key path gets the same address.
private final class AddressedAnswer: Sendable {
  let known: KnownKeyPath
  let answer: KeyPathAnswer

  init(_ known: KnownKeyPath, _ answer: KeyPathAnswer) {
    self.known = known
    self.answer = answer
  }
}

/// Some of the answers by address, found without a lock and without hashing, in a fifth of the time
/// of a dictionary under a lock.
private struct FirstKeyPaths {
  private let entries: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

  private static let count = 256

  init() {
    entries = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (entries + index).initialize(to: Atomic(nil)) }
  }

  func answer(to keyPath: AnyKeyPath) -> KeyPathAnswer? {
    guard let found = entry(of: keyPath).pointee.load(ordering: .acquiring) else { return nil }
    let addressed = Unmanaged<AddressedAnswer>.fromOpaque(found)
    return addressed._withUnsafeGuaranteedRef {
      $0.known.keyPath === keyPath ? $0.answer : nil
    }
  }

  /// Stores an answer if its entry is free: the first of two key paths with the same entry wins.
  func add(_ answer: AddressedAnswer) {
    let kept = Unmanaged.passRetained(answer)
    let (isFree, _) = entry(of: answer.known.keyPath).pointee.compareExchange(
      expected: nil, desired: UnsafeRawPointer(kept.toOpaque()), ordering: .releasing)
    if !isFree { kept.release() }
  }

  private func entry(
    of keyPath: AnyKeyPath
  ) -> UnsafeMutablePointer<Atomic<UnsafeRawPointer?>> {
    // The addresses of objects are multiples of 16.
    entries + (Int(bitPattern: ObjectIdentifier(keyPath)) >> 4) % Self.count
  }
}

/// A path from an object through links and collections to a property, as a key path describes it.
final class PersistedPath: Sendable {
  /// The links and collections in order, and the property at the end.
  let properties: [Property]

  /// The operand of a condition for an object's own property; nil for a property with many values.
  let operand: QueryOperand?

  init(_ properties: [Property]) {
    self.properties = properties
    operand =
      properties.count == 1 && !properties[0].hasManyValues
      ? .path(QueryPath([.property(properties[0].name)])) : nil
  }

  /// The names, separated by dots: `dog.name`.
  var text: String { properties.map(\.name).joined(separator: ".") }

  /// The property, if it belongs to the object itself.
  var ownProperty: Property? { properties.count == 1 ? properties.first : nil }
}

extension Property {
  /// Whether the property is a collection or linking objects.
  var hasManyValues: Bool { collection != nil || isComputed }
}

/// The property of the file that a key path reads, also through links (`\Person.dog?.name`,
/// `\Person.dog!.name`) and collections (`\Person.dogs[0].name`); nil for a key path that computes
/// something.
///
/// Sample values show whether a key path computes its value. This is tested once for each key path,
/// and cached.
func persistedPath<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> PersistedPath? {
  answer(keyPath).path
}

/// The only property that a key path reads, even if the key path computes something from its value;
/// nil for a key path that reads none, or several.
func readPath<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> PersistedPath? {
  answer(keyPath).read
}

private func answer<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> KeyPathAnswer {
  if let answer = KnownKeyPaths.answer(to: keyPath) { return answer }
  guard let info = ClassInfo.reporting(Root.self) else { return KeyPathAnswer() }
  // Not under a lock: the model's own code runs here, and may ask for other key paths.
  let answer = ordinarily {
    let reading = KeyPathReading(keyPath, info)
    defer { reading?.end() }
    let givesValue = reading?.givesValueUnchanged == true
    return KeyPathAnswer(path: givesValue ? reading?.path : nil, read: reading?.path)
  }
  KnownKeyPaths.add(answer, to: keyPath)
  return answer
}

/// The text of a key path in descriptors and format strings, such as `dog.name`; nil where
/// ``persistedPath(of:)`` returns nil.
func keyPathString<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
  persistedPath(of: keyPath)?.text
}

/// The property in a column that a key path reads; nil for a key path that computes something, or
/// follows a link.
func persistedProperty<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Property? {
  guard let property = persistedPath(of: keyPath)?.ownProperty, property.isStoredInColumn else {
    return nil
  }
  return property
}
