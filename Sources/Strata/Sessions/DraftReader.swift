import StrataSchema
import StrataStorage

/// A reader of values of any kind: dictionaries, arrays, and objects of this realm, of another
/// realm or of no realm.
///
/// The reader writes nothing. Each object enters the draft before the objects that it leads to are
/// read, so cycles end. A queue replaces recursion, so a chain may have any length.
final class DraftReader {
  private let session: Session
  /// Whether unmanaged objects become the managed ones, as in `add`, instead of being copied.
  private let adopts: Bool
  private var draft = ObjectDraft()
  /// The parts of each object that are still to be read: values of links and collections.
  private var values: [[(slot: _PropertySlot, value: Any?)]] = []
  /// The step to each object in the value; nil for the value itself.
  private var places: [ValueStep?] = []
  /// The objects that others were read from, by their class.
  private var known: [ObjectIdentifier: [ObjectBase: Int]] = [:]

  private init(_ session: Session, adopts: Bool) {
    self.session = session
    self.adopts = adopts
  }

  /// Reads an unmanaged object, which becomes the managed one.
  static func read(adopting object: ObjectBase, _ session: Session) throws(RealmError)
    -> ObjectDraft
  {
    let reader = DraftReader(session, adopts: true)
    _ = try reader.adopt(object, at: nil)
    return try reader.readAll()
  }

  /// Reads a value of an object of a class.
  static func read(_ type: ObjectBase.Type, _ value: Any, _ session: Session) throws(RealmError)
    -> ObjectDraft
  {
    let reader = DraftReader(session, adopts: false)
    _ = try reader.make(type, value, at: nil)
    return try reader.readAll()
  }

  private func readAll() throws(RealmError) -> ObjectDraft {
    var index = 0
    while index < draft.parts.count {
      let waiting = values[index]
      values[index] = []
      for (slot, value) in waiting { try read(value, slot, of: index) }
      index += 1
    }
    assert(draft.isWhole)
    return draft
  }

  // MARK: Objects

  /// Adds an object without reading the objects that it leads to: all of its own values are in
  /// memory.
  private func adopt(_ object: ObjectBase, at place: ValueStep?) throws(RealmError) -> Int {
    guard let table = session.store.table(type(of: object)) else {
      throw .notManaged(type(of: object))
    }
    let info = table.info
    let base = Unmanaged.passUnretained(object).toOpaque()
    var values: [(slot: _PropertySlot, value: Any?)] = []
    for slot in info.slots.links { values.append((slot, info.accessors[slot].dynamic(base))) }
    for slot in info.slots.collections {
      values.append((slot, info.accessors[slot].collection?(base)))
    }
    withExtendedLifetime(object) {}
    let index = add(table, object, isAdopted: true, values, at: place)
    draft.parts[index].given = PropertySet(info.slots.settable)
    known[ObjectIdentifier(type(of: object)), default: [:]][object] = index
    return index
  }

  /// Creates an object, and sets the columns for which `value` has a value. Links and collections
  /// follow later.
  private func make(
    _ type: ObjectBase.Type, _ value: Any, at place: ValueStep?
  ) throws(RealmError) -> Int {
    guard let table = session.store.table(type) else { throw .notManaged(type) }
    let info = table.info
    let object = type.init()
    var given = PropertySet()
    var waiting: [(slot: _PropertySlot, value: Any?)] = []
    for (slot, value) in try values(value, info, at: place) {
      given.insert(slot)
      let property = info.properties[slot]
      if property.type == .object || property.type == .any || property.collection != nil {
        waiting.append((slot, value))
        continue
      }
      do throws(RealmError) {
        try object.setValue(value, slot: slot, info)
      } catch {
        throw located(error, at: place, property.name)
      }
    }
    waiting += defaults(of: object, info, besides: given)
    let index = add(table, object, isAdopted: false, waiting, at: place)
    draft.parts[index].given = given
    // Each parent of a managed embedded object gets its own copy.
    if let original = instance(of: ObjectBase.self, value),
      !(original is EmbeddedObject && original._context != nil)
    {
      known[ObjectIdentifier(type), default: [:]][original] = index
    }
    return index
  }

  private func values(
    _ value: Any, _ info: ClassInfo, at place: ValueStep?
  ) throws(RealmError) -> [(slot: _PropertySlot, value: Any?)] {
    do throws(RealmError) {
      return try info.values(from: value).filter { !info.properties[$0.slot].isComputed }
    } catch {
      throw located(error, at: place)
    }
  }

  /// The default values that a class gives to the links and collections of a new object.
  private func defaults(
    of object: ObjectBase, _ info: ClassInfo, besides given: PropertySet
  ) -> [(slot: _PropertySlot, value: Any?)] {
    let base = Unmanaged.passUnretained(object).toOpaque()
    defer { withExtendedLifetime(object) {} }
    var values: [(slot: _PropertySlot, value: Any?)] = []
    for slot in info.slots.links where !given.contains(slot) {
      if let value = info.accessors[slot].dynamic(base) { values.append((slot, value)) }
    }
    for slot in info.slots.collections where !given.contains(slot) {
      if let collection = info.accessors[slot].collection?(base), collection.count > 0 {
        values.append((slot, collection))
      }
    }
    return values
  }

  private func add(
    _ table: Table, _ object: ObjectBase, isAdopted: Bool,
    _ waiting: [(slot: _PropertySlot, value: Any?)], at place: ValueStep?
  ) -> Int {
    draft.parts.append(ObjectDraft.Part(table: table, object: object, isAdopted: isAdopted))
    values.append(waiting)
    places.append(place)
    return draft.parts.count - 1
  }

  // MARK: Links

  private func read(_ value: Any?, _ slot: _PropertySlot, of index: Int) throws(RealmError) {
    let table = draft.parts[index].table
    let property = table.info.properties[slot]
    let place = ValueStep(parent: index, property: property.name)
    do throws(RealmError) {
      if property.collection != nil {
        let elements = try elements(value, slot, of: draft.parts[index], at: place)
        draft.parts[index].collections[slot] = elements
      } else {
        let element =
          property.type == .any
          ? try any(value, slot, of: draft.parts[index], at: place)
          : try link(value, slot, of: draft.parts[index], at: place)
        if let element { draft.parts[index].links.append((slot, element)) }
      }
    } catch {
      throw located(error, at: places[index], property.name)
    }
  }

  /// Returns an error with its place in the value, unless the value itself is wrong.
  private func located(
    _ error: RealmError, at place: ValueStep?, _ property: String? = nil
  ) -> RealmError {
    let end = "' of the value."
    guard place != nil, !error.message.hasSuffix(end) else { return error }
    var steps: [String] = property.map { [$0] } ?? []
    var next = place
    while let place = next, steps.count < Self.maxSteps {
      steps.append(place.text)
      next = places[place.parent]
    }
    if next != nil { steps.append("…") }
    // Keys of maps are user data: they don't go into the log.
    return RealmError(
      error.code, "\(error.message) It is at '\(steps.reversed().joined(separator: "."))\(end)",
      logged: error.loggedMessage, fileURL: error.fileURL, underlyingError: error.underlyingError)
  }

  /// The limit of steps in an error: a chain of objects may be long.
  private static let maxSteps = 16

  private func link(
    _ value: Any?, _ slot: _PropertySlot, of part: ObjectDraft.Part, at place: ValueStep
  ) throws(RealmError) -> _StoredElement {
    let info = part.table.info
    let property = info.properties[slot]
    if let row = try row(of: value, property, of: info.className, at: place) {
      return _StoredElement(.integer(row))
    }
    // A custom type may be stored as an object; then nil is stored as an object, too.
    try part.object.setValue(value, slot: slot, info)
    let base = Unmanaged.passUnretained(part.object).toOpaque()
    defer { withExtendedLifetime(part.object) {} }
    guard let target = info.accessors[slot].dynamic(base) as? ObjectBase else { return .null }
    return _StoredElement(.integer(try row(of: target, property, of: info.className, at: place)))
  }

  /// The value of an `AnyRealmValue` that leads to objects, or is a list or a dictionary. Nil for
  /// another value, which the object of the part already holds.
  private func any(
    _ value: Any?, _ slot: _PropertySlot, of part: ObjectDraft.Part, at place: ValueStep
  ) throws(RealmError) -> _StoredElement? {
    let info = part.table.info
    guard let any = AnyRealmValue.converting(value) else {
      throw .invalidValue(value, for: info.properties[slot], of: info.className)
    }
    let rows = DraftRows(self, info.properties[slot], of: info.className, at: place)
    if case .object(let object) = any { return try rows.row(of: object) }
    if any.isNested {
      return _StoredElement(
        try any.nested { object throws(RealmError) in try rows.row(of: object) })
    }
    if !part.isAdopted { try part.object.setValue(value, slot: slot, info) }
    return nil
  }

  /// The row of a value that stands for an object; nil for another value.
  private func row(
    of value: Any?, _ property: Property, of className: String, at place: ValueStep
  ) throws(RealmError) -> Int64? {
    if let object = instance(of: ObjectBase.self, value) {
      return try row(of: object, property, of: className, at: place) as Int64
    }
    guard let value,
      let table = property.objectClassName.flatMap({ session.store.table(className: $0) }),
      // The usual types first. A cast to others converts each value.
      type(of: value) == [String: Any].self || type(of: value) == [Any].self
        || value is [String: Any?] || value is [Any?]
    else { return nil }
    return ObjectDraft.row(of: try make(table.info.type, value, at: place))
  }

  fileprivate func row(
    of object: ObjectBase, _ property: Property, of className: String, at place: ValueStep
  ) throws(RealmError) -> Int64 {
    if let faulty = object._context as? FaultyContext { throw faulty.error }
    let name = session.className(of: type(of: object))
    // Swift accepts an object of a subclass, but its row is in another table.
    if property.type == .object, name != property.objectClassName {
      throw .invalidValue(object, for: property, of: className)
    }
    if object._context != nil, let row = try rowInFile(of: object) { return row }
    guard object._state & (ObjectState.deleted | ObjectState.vanished) == 0 else {
      throw object.deletedError
    }
    if let index = known[ObjectIdentifier(type(of: object))]?[object] {
      // The embedded object would be part of two objects.
      if object is EmbeddedObject { throw RealmError(.fail, ErrorText.embeddedTwice(name)) }
      return ObjectDraft.row(of: index)
    }
    let index =
      adopts ? try adopt(object, at: place) : try make(type(of: object), object, at: place)
    return ObjectDraft.row(of: index)
  }

  fileprivate func className(of object: ObjectBase) -> String {
    session.className(of: type(of: object))
  }

  /// The row of a managed object; nil for one that must be copied.
  private func rowInFile(of object: ObjectBase) throws(RealmError) -> Int64? {
    guard session.isOfFile(object) else {
      if adopts { throw RealmError(.fail, ErrorText.otherRealm) }
      return nil
    }
    guard !object.isInvalidated else { throw object.deletedError }
    guard let table = session.store.table(type(of: object)) else {
      throw .notManaged(type(of: object))
    }
    if object is EmbeddedObject {
      if adopts { throw RealmError(.fail, ErrorText.managedEmbedded) }
      return nil
    }
    draft.named.insert(ObjectRow(table: table.index, row: object._rowID))
    return object._rowID
  }

  // MARK: Collections

  private func elements(
    _ value: Any?, _ slot: _PropertySlot, of part: ObjectDraft.Part, at place: ValueStep
  ) throws(RealmError) -> [(key: String, _StoredElement)] {
    let info = part.table.info
    let property = info.properties[slot]
    try (anyInstance(value) as? any PersistedCollection)?.checkNotInvalidated()
    let base = Unmanaged.passUnretained(part.object).toOpaque()
    defer { withExtendedLifetime(part.object) {} }
    guard let own = info.accessors[slot].collection?(base) else { return [] }
    let type = type(of: own)
    let rows = DraftRows(self, property, of: info.className, at: place)
    func stored(_ value: Any?) throws(RealmError) -> [(key: String, _StoredElement)] {
      guard let stored = try type.stored(value, in: rows) else {
        throw .invalidValue(value, for: property, of: info.className)
      }
      return stored
    }
    guard property.objectClassName != nil, let value, Swift.type(of: value) != type else {
      return try stored(value)
    }
    // Dictionaries and arrays stand for objects.
    var elements: [(key: String, _StoredElement)] = []
    let isMap = property.collection == .map
    guard let entries = isMap ? mapEntries(value) : sequence(value)?.map({ ("", $0) }) else {
      throw .invalidValue(value, for: property, of: info.className)
    }
    for (position, (key, value)) in entries.enumerated() {
      let place = place.element(isMap ? .key(key) : .position(position))
      if let row = try row(of: value, property, of: info.className, at: place) {
        elements.append((key, _StoredElement(.integer(row))))
      } else {
        elements += try stored(isMap ? MapEntries([(key, value)]) : [value])
      }
    }
    return elements
  }
}

/// The rows of a collection that is being read into a draft. Converts each element that is an
/// object to its row.
private final class DraftRows: EmptyRows {
  private let reader: DraftReader
  private let property: Property
  private let className: String
  private let place: ValueStep
  private var position = 0

  init(_ reader: DraftReader, _ property: Property, of className: String, at place: ValueStep) {
    self.reader = reader
    self.property = property
    self.className = className
    self.place = place
  }

  override var holdsNested: Bool { property.type == .any && property.collection != .set }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    guard let object = object as? ObjectBase else { return .null }
    defer { position += 1 }
    let place = property.collection == nil ? place : place.element(.position(position))
    let row = try reader.row(of: object, property, of: className, at: place)
    guard property.type == .any else { return _StoredElement(.integer(row)) }
    return _StoredElement(
      .integer(row),
      type: _StoredElement.typeName(
        ofLinkTo: reader.className(of: object)))
  }
}

/// The step to an object in a value: the property of the object that leads to it, or an element of
/// that. A text of all steps, such as `people[3].address`, is made only for an error.
private struct ValueStep {
  enum Element {
    case position(Int)
    case key(String)
  }

  /// The number of the object that has the property.
  var parent: Int
  var property: String
  var element: Element?

  var text: String {
    switch element {
    case nil: property
    case .position(let position): "\(property)[\(position)]"
    case .key(let key): "\(property)[\"\(key)\"]"
    }
  }

  func element(_ element: Element) -> Self {
    Self(parent: parent, property: property, element: element)
  }
}
