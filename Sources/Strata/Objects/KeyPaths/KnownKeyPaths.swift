import Synchronization

/// The properties that a key path reads: see ``persistedPath(of:)`` and ``readPath(of:)``.
struct KeyPathAnswer: Sendable {
  var path: PersistedPath?
  var read: PersistedPath?
}

/// The answers for key paths, also by their addresses: hashing a key path takes about a thousand
/// instructions, as it goes through all of its parts.
///
/// A literal that captures nothing is made once for each place in the source, and stays. Key paths
/// that are put together while the program runs are other objects each time, which are equal: a
/// few of them are remembered.
enum KnownKeyPaths {
  /// The answer, if the key path or one that is equal was asked for before.
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

    private static let mostAddressesOfOne = 4

    mutating func answer(to known: KnownKeyPath) -> KeyPathAnswer? {
      let address = ObjectIdentifier(known.keyPath)
      if let found = byAddress[address] { return found.answer }
      guard let entry = entries[known] else { return nil }
      if entry.addresses < Self.mostAddressesOfOne {
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

/// An answer that keeps its key path, so that the address is that of no other.
private final class AddressedAnswer: Sendable {
  let known: KnownKeyPath
  let answer: KeyPathAnswer

  init(_ known: KnownKeyPath, _ answer: KeyPathAnswer) {
    self.known = known
    self.answer = answer
  }
}

/// Some of the answers by their addresses, found without a lock and without hashing: a fifth of
/// what a dictionary under a lock takes.
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

  /// Keeps an answer where its entry is free: of two key paths with one entry, the first.
  func add(_ answer: AddressedAnswer) {
    let kept = Unmanaged.passRetained(answer)
    let (isFree, _) = entry(of: answer.known.keyPath).pointee.compareExchange(
      expected: nil, desired: UnsafeRawPointer(kept.toOpaque()), ordering: .releasing)
    if !isFree { kept.release() }
  }

  private func entry(
    of keyPath: AnyKeyPath
  ) -> UnsafeMutablePointer<Atomic<UnsafeRawPointer?>> {
    // Objects begin at multiples of 16.
    entries + (Int(bitPattern: ObjectIdentifier(keyPath)) >> 4) % Self.count
  }
}
