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
