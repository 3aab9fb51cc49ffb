/// The properties that some code reads of an object, and of the objects that its links and
/// collections lead to.
///
/// Recording objects record each property that is read. When a link or a collection of objects is
/// read, the recorder puts another recording object there, so that the code can continue: through
/// `!` and `[0]` as well.
struct PropertyReads {
  /// A property that was read, and the steps that lead to its object.
  struct Read {
    /// The classes on the way, each with the property that is read.
    var steps: [(info: ClassInfo, slot: _PropertySlot)]
    /// The recording object with the property.
    let object: ObjectBase

    var path: PersistedPath {
      PersistedPath(steps.map { $0.info.properties[$0.slot] })
    }
  }

  /// Each property once, in the order in which the code reads them. A link or a collection is
  /// included only if nothing is read behind it.
  let reads: [Read]

  /// The object that was passed to the code.
  let root: ObjectBase
  private let recorder: ReadRecorder

  /// - Parameter suppliesValues: Whether optional properties get values, for code that unwraps
  ///   them.
  /// - Returns: Nil for code that follows links endlessly.
  init?<Root: ObjectBase>(
    _ info: ClassInfo, of _: Root.Type, suppliesValues: Bool = false, by read: (Root) -> Void
  ) {
    let recorder = ReadRecorder(suppliesValues: suppliesValues)
    guard let root = recorder.makeObject(of: info, at: []) as? Root else { return nil }
    read(root)
    guard !recorder.isFull else {
      recorder.forget()
      return nil
    }
    self.recorder = recorder
    self.root = root
    var reads: [Read] = []
    for (object, slot) in recorder.reads {
      // Skips objects that this code has created itself, and properties that aren't in the file.
      guard let way = recorder.ways[ObjectIdentifier(object)],
        slot < way.info.properties.endIndex
      else { continue }
      let read = Read(steps: way.steps + [(way.info, slot)], object: object)
      if !reads.contains(where: { $0.isSame(as: read.steps) }) { reads.append(read) }
    }
    self.reads = reads.filter { read in !reads.contains { $0.continues(read) } }
  }

  /// Releases the recording objects, which keep each other alive. They record no longer.
  func end() { recorder.forget() }
}

extension PropertyReads.Read {
  fileprivate func isSame(as other: [(info: ClassInfo, slot: _PropertySlot)]) -> Bool {
    steps.count == other.count && begins(with: other)
  }

  /// Whether this property belongs to the object that another read leads to.
  fileprivate func continues(_ other: PropertyReads.Read) -> Bool {
    steps.count > other.steps.count && begins(with: other.steps)
  }

  private func begins(with other: [(info: ClassInfo, slot: _PropertySlot)]) -> Bool {
    zip(steps, other).allSatisfy { $0.info === $1.info && $0.slot == $1.slot }
  }
}

extension ClassInfo {
  /// Sets a link in memory, whatever the state of the object.
  func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase) -> Bool {
    defer { withExtendedLifetime(owner) {} }
    do {
      return try accessors[slot].convert(Unmanaged.passUnretained(owner).toOpaque(), target)
    } catch {
      // The object is of another class.
      return false
    }
  }
}

/// The type of a link to an object.
protocol LinkValue {
  static var linkedClass: ObjectBase.Type { get }
}

extension Optional: LinkValue where Wrapped: ObjectBase {
  static var linkedClass: ObjectBase.Type { Wrapped.self }
}

/// The property that a key path reads, and whether the key path returns its value unchanged.
struct KeyPathReading<Root: ObjectBase> {
  private let keyPath: PartialKeyPath<Root>
  private let reads: PropertyReads
  private let read: PropertyReads.Read

  /// Fails for a key path that reads no property, or more than one of an object.
  init?(_ keyPath: PartialKeyPath<Root>, _ info: ClassInfo) {
    guard let reads = PropertyReads(info, of: Root.self, by: keyPath) else { return nil }
    guard reads.reads.count == 1 else {
      reads.end()
      return nil
    }
    self.keyPath = keyPath
    self.reads = reads
    read = reads.reads[0]
  }

  /// The links and collections on the way, and the last property that is read.
  var path: PersistedPath { read.path }

  var givesValueUnchanged: Bool {
    guard let last = read.steps.last, let root = reads.root as? Root else { return false }
    return KeyPathCheck(
      keyPath: keyPath, root: root, isDirect: read.steps.count == 1, object: read.object,
      info: last.info, slot: last.slot
    ).givesValueUnchanged
  }

  /// Releases the objects that the key path was tried with.
  func end() { reads.end() }
}

extension PropertyReads {
  init?<Root: ObjectBase>(
    _ info: ClassInfo, of root: Root.Type, by keyPath: PartialKeyPath<Root>
  ) {
    self.init(info, of: root, suppliesValues: keyPath.unwraps) { _ = $0[keyPath: keyPath] }
  }
}

extension AnyKeyPath {
  /// Whether the key path unwraps an optional with `!`, which stops the process at nil.
  ///
  /// Only the key path's description contains this: `!` after the type of the unwrapped part.
  var unwraps: Bool { "\(self)".contains(">!") }
}

/// The context of recording objects, in place of a realm. Records the reads of their properties,
/// and supplies recording objects as their links and elements.
final class ReadRecorder: ManagedContext {
  /// A class, and the properties that lead to an object of it.
  typealias Way = (info: ClassInfo, steps: [(info: ClassInfo, slot: _PropertySlot)])

  private(set) var reads: [(object: ObjectBase, slot: _PropertySlot)] = []
  /// The steps that lead to each object that this recorder has made.
  private(set) var ways: [ObjectIdentifier: Way] = [:]
  private var targets: [PropertyKey: RecordedRows] = [:]
  private var supplied: Set<PropertyKey> = []
  private let suppliesValues: Bool

  /// A property of an object that this recorder has made.
  private struct PropertyKey: Hashable {
    var object: ObjectIdentifier
    var slot: _PropertySlot
  }

  /// The limit of objects. Only a property that follows links in a cycle needs more.
  private static var maxObjects: Int { 64 }

  init(suppliesValues: Bool) {
    self.suppliesValues = suppliesValues
    super.init(clock: StampClock())
  }

  /// Whether the code needed more objects than the limit.
  private(set) var isFull = false

  override func refresh(_ object: ObjectBase, slot: _PropertySlot) {
    reads.append((object, slot))
    guard let way = ways[ObjectIdentifier(object)], slot < way.info.properties.endIndex,
      supplied.insert(PropertyKey(object: ObjectIdentifier(object), slot: slot)).inserted
    else { return }
    supply(object, slot, way)
  }

  /// The rows of a collection of a recording object; nil for other properties.
  override func rows(of object: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? {
    targets[PropertyKey(object: ObjectIdentifier(object), slot: slot)]
  }

  /// Supplies an object or a value for a property, once.
  private func supply(_ object: ObjectBase, _ slot: _PropertySlot, _ way: Way) {
    let property = way.info.properties[slot]
    if property.hasManyValues {
      let rows = RecordedRows(target(slot, way))
      targets[PropertyKey(object: ObjectIdentifier(object), slot: slot)] = rows
      let base = Unmanaged.passUnretained(object).toOpaque()
      let collection = way.info.accessors[slot].dynamic(base) as? any PersistedCollection
      withExtendedLifetime(object) { collection?.rows = rows }
    } else if way.info.valueTypes[slot] is any LinkValue.Type {
      guard let target = target(slot, way) else { return }
      _ = way.info.setLink(slot, of: object, to: target)
    } else if suppliesValues, property.isOptional {
      supplyValue(object, slot, way.info)
    }
  }

  private func target(_ slot: _PropertySlot, _ way: Way) -> ObjectBase? {
    guard let type = way.info.targets[slot], let info = ClassInfo.reporting(type) else {
      return nil
    }
    guard ways.count < Self.maxObjects else {
      isFull = true
      return nil
    }
    return makeObject(of: info, at: way.steps + [(way.info, slot)])
  }

  /// Sets an optional property to a value of its type.
  private func supplyValue(_ object: ObjectBase, _ slot: _PropertySlot, _ info: ClassInfo) {
    guard let type = info.valueTypes[slot] as? any RealmCollectionValue.Type,
      let sample = presentSample(of: type)
    else { return }
    do {
      try object.setValue(sample, slot: slot, info)
    } catch {
      // The property stays nil, as in an object without values.
    }
  }

  /// Makes an object that reports reads of its properties to this recorder.
  func makeObject(of info: ClassInfo, at steps: [(info: ClassInfo, slot: _PropertySlot)])
    -> ObjectBase
  {
    let object = info.type.init()
    let base = Unmanaged.passUnretained(object).toOpaque()
    info.row.setSlots(base)
    object._state = ObjectState.recording
    object._context = self
    ways[ObjectIdentifier(object)] = (info, steps)
    objects.append(object)
    return object
  }

  /// The recording objects, kept so that no other object gets the same address.
  private var objects: [ObjectBase] = []

  /// Releases the objects, which keep this recorder alive.
  func forget() {
    reads = []
    ways = [:]
    targets = [:]
    objects = []
  }
}

/// The elements of a collection of a recording object. Each position and each key has the same
/// element: a recording object, or null, which is read as the zero of a value type.
final class RecordedRows: EmptyRows {
  private let target: ObjectBase?

  init(_ target: ObjectBase?) { self.target = target }

  override var count: Int { 1 }
  override var first: _ReadElement? { element }
  override var last: _ReadElement? { element }
  override func element(at position: Int) -> _ReadElement? { element }
  override func element(forKey key: String) -> _ReadElement? { element }
  override func object(_ element: _StoredElement) -> AnyObject? { target }
  override func cursor() -> ElementCursor { Cursor(element, target) }

  /// Without a target object, the element is null, which value types read as their zero.
  private var element: _ReadElement {
    _ReadElement(target == nil ? .null : _StoredElement(.integer(1)))
  }

  private final class Cursor: ElementCursor {
    private var rest: (key: String, element: _ReadElement, object: AnyObject?)?

    init(_ element: _ReadElement, _ object: ObjectBase?) { rest = ("", element, object) }

    override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
      defer { rest = nil }
      return rest
    }
  }
}
