/// The context of recording objects, in the place of a realm: notes what is read of them, and puts
/// recording objects where their links and collections lead.
final class ReadRecorder: ManagedContext {
  /// A class, and the properties that lead to an object of it.
  typealias Way = (info: ClassInfo, steps: [(info: ClassInfo, slot: _PropertySlot)])

  private(set) var reads: [(object: ObjectBase, slot: _PropertySlot)] = []
  /// How the objects that it made are reached.
  private(set) var ways: [ObjectIdentifier: Way] = [:]
  private var targets: [PropertyKey: RecordedRows] = [:]
  private var supplied: Set<PropertyKey> = []
  private let suppliesValues: Bool

  /// A property of an object that it made.
  private struct PropertyKey: Hashable {
    var object: ObjectIdentifier
    var slot: _PropertySlot
  }

  /// No code in a program follows more links; a property that follows them in a circle does.
  private static var mostObjects: Int { 64 }

  init(suppliesValues: Bool) {
    self.suppliesValues = suppliesValues
    super.init(clock: StampClock())
  }

  /// Whether code asked for more objects than it makes.
  private(set) var isFull = false

  override func refresh(_ object: ObjectBase, slot: _PropertySlot) {
    reads.append((object, slot))
    guard let way = ways[ObjectIdentifier(object)], slot < way.info.properties.endIndex,
      supplied.insert(PropertyKey(object: ObjectIdentifier(object), slot: slot)).inserted
    else { return }
    supply(object, slot, way)
  }

  /// What a collection of a recording object consists of; nil for other properties.
  override func rows(of object: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? {
    targets[PropertyKey(object: ObjectIdentifier(object), slot: slot)]
  }

  /// Puts something where a property leads, once.
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
    guard ways.count < Self.mostObjects else {
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
      // The property stays nil, as it is in an object without values.
    }
  }

  /// Makes an object that tells this recorder which of its properties is read.
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

  /// So that no other object gets the address of one.
  private var objects: [ObjectBase] = []

  /// Lets go of the objects, which keep this recorder.
  func forget() {
    reads = []
    ways = [:]
    targets = [:]
    objects = []
  }
}

/// The elements of a collection of a recording object: at each position, and for each key, the same
/// recording object, or the zero of values.
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

  /// That of values is none that they can have: it is read as their zero.
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
