import StrataStorage

/// A maker of objects from dictionaries, arrays and other objects, which it adds.
///
/// What a value contains becomes part of the realm in the same way: dictionaries and arrays in the
/// place of objects make objects, objects of no realm or another one are copied, and with an update
/// policy those with the primary key of an existing one change that, wherever they are in the
/// value.
final class ObjectCreator {
  let session: Session
  private let transaction: WriteTransaction
  private let policy: UpdatePolicy
  /// Copies by their class and their originals: a cycle of objects is copied to a cycle.
  private var copies: [ObjectIdentifier: [ObjectBase: ObjectBase]] = [:]
  /// Objects whose links and collections are still to be set: a long chain of objects needs no deep
  /// recursion.
  private var queue:
    [(object: ObjectBase, info: ClassInfo, values: [(slot: _PropertySlot, value: Any?)])] =
      []
  private var next = 0
  /// The objects that were made, by their primary keys: a value may name one in several places.
  private var made: [GraphWriter.PlacedKey: ObjectBase] = [:]

  /// The objects without a primary key that were changed where they are.
  private var changed: Set<ObjectBase> = []

  init(_ session: Session, _ transaction: WriteTransaction, _ policy: UpdatePolicy) {
    self.session = session
    self.transaction = transaction
    self.policy = policy
  }

  /// Makes an object and adds it; an embedded one waits for its parent.
  func create(_ type: ObjectBase.Type, value: Any) throws(RealmError) -> ObjectBase {
    let value = policy == .error ? value : try independent(value) ?? value
    let object = try object(type, value)
    while next < queue.count {
      let (object, info, values) = queue[next]
      next += 1
      for (slot, value) in values { try set(value, slot, of: object, info) }
    }
    if !(object is EmbeddedObject) {
      try GraphWriter.add(object, policy, session, transaction)
    }
    return object
  }

  /// Makes an object, or finds the one with its primary key; what its value contains waits in the
  /// queue.
  ///
  /// - Parameter present: The embedded object that the value changes in place, if there is one.
  private func object(
    _ type: ObjectBase.Type, _ value: Any, changing present: ObjectBase? = nil
  ) throws(RealmError) -> ObjectBase {
    guard let table = session.store.table(type) else { throw .notManaged(type) }
    let info = table.info
    let original = value as? ObjectBase
    if let original, let copy = copies[ObjectIdentifier(type)]?[original] { return copy }
    var object = type.init()
    var plain: [(slot: _PropertySlot, value: Any?)] = []
    var nested: [(slot: _PropertySlot, value: Any?)] = []
    for (slot, value) in try info.values(from: value) where !info.properties[slot].isComputed {
      let property = info.properties[slot]
      let isNested =
        property.type == .object || property.type == .any || property.collection != nil
      if isNested { nested.append((slot, value)) } else { plain.append((slot, value)) }
    }
    for (slot, value) in plain { try object.setValue(value, slot: slot, info) }
    if let present {
      try update(present, with: plain, of: object, table)
      object = present
    }
    if policy != .error, let slot = table.primaryKeySlot {
      let key = try info.storedValue(slot, of: object)
      let place = GraphWriter.PlacedKey(table: table.index, key: key)
      var known = made[place]
      if known == nil, let row = try session.find(key, in: table, { $0.int64(0) }) {
        known = try session.object(row: row, in: table)
      }
      if let known {
        try update(known, with: plain, of: object, table)
        object = known
      }
      made[place] = object
    }
    // Each place of an embedded object in a realm has a copy of its own.
    if let original, !(original is EmbeddedObject && original._context != nil) {
      copies[ObjectIdentifier(type), default: [:]][original] = object
    }
    if !nested.isEmpty { queue.append((object, info, nested)) }
    return object
  }

  /// Properties that the value lacks keep their values.
  private func update(
    _ existing: ObjectBase, with values: [(slot: _PropertySlot, value: Any?)],
    of object: ObjectBase,
    _ table: Table
  ) throws(RealmError) {
    for (slot, value) in values where slot != table.primaryKeySlot {
      if policy == .modified {
        let new = try table.info.storedElement(slot, of: object)
        if try table.info.storedElement(slot, of: existing).isIdentical(to: new) { continue }
      }
      try existing.setValue(value, slot: slot, table.info)
    }
  }

  private func set(
    _ value: Any?, _ slot: _PropertySlot, of object: ObjectBase, _ info: ClassInfo
  ) throws(RealmError) {
    let property = info.properties[slot]
    try (value as? any PersistedCollection)?.checkIsThere()
    let waiting = queue.count
    if policy == .modified, object.managedContext === session,
      try changeInPlace(value, slot, property, of: object)
    {
      return try finish(from: waiting)
    }
    let value = try localized(value, property)
    if object.managedContext === session, isEmbedded(property) { try finish(from: waiting) }
    if policy == .modified, object.managedContext === session,
      try setDifference(value, slot, property, of: object, info)
    {
      return
    }
    try object.setValue(value, slot: slot, info)
  }

  private func isEmbedded(_ property: Property) -> Bool {
    let table = property.objectClassName.flatMap { session.store.table(className: $0) }
    return table?.info.isEmbedded == true
  }

  /// Sets the links and collections of copies of embedded objects now: what they are copies of may
  /// be what they replace, whose collections are empty once it is deleted.
  private func finish(from first: Int) throws(RealmError) {
    var index = first
    while index < queue.count {
      let (object, info, values) = queue[index]
      queue[index].values = []
      index += 1
      for (slot, value) in values { try set(value, slot, of: object, info) }
    }
  }

  /// Changes the objects that are in the place of a value already, if their class has no primary
  /// key to know them by; false where the value is to be set as a whole.
  ///
  /// In a list those at the same positions are the same, in a map those of the same keys.
  private func changeInPlace(
    _ value: Any?, _ slot: _PropertySlot, _ property: Property, of owner: ObjectBase
  ) throws(RealmError) -> Bool {
    guard let name = property.objectClassName, let table = session.store.table(className: name),
      table.primaryKeySlot == nil
    else { return false }
    guard let kind = property.collection else {
      guard let link = owner.linkRow(slot) else { return false }
      return try change(link.row, in: table, to: value)
    }
    guard let rows = session.rows(of: owner, slot) as? SessionCollection else { return false }
    let present = rows.storedEntries()
    let new: [(key: String, value: Any?)]
    switch kind {
    case .set: return false
    case .list:
      guard let values = sequence(value) else { return false }
      new = values.map { ("", $0) }
    case .map:
      guard let entries = mapEntries(value) else { return false }
      new = entries.map { ($0.0, $0.1) }
    }
    let byKey =
      kind == .map
      ? Dictionary(present.map { (StoredText($0.key), $0.element) }) { first, _ in first } : [:]
    let places = new.enumerated().map { position, entry in
      (kind == .map
        ? byKey[StoredText(entry.key)]
        : present.indices.contains(position) ? present[position].element : nil)?.value.integer
    }
    // Objects of this realm are in other places of the same collection: what stands where they
    // were would change them.
    let isMixed = zip(new, places).contains { entry, row in
      guard let object = entry.value as? ObjectBase, object.managedContext === session else {
        return false
      }
      return object._rowID != row
    }
    if isMixed { return false }
    for (position, ((key, value), row)) in zip(new, places).enumerated() {
      if let row, try change(row, in: table, to: value) { continue }
      let element = try localized(value, className: name)
      guard element == nil ? kind == .map : element is ObjectBase else {
        throw .invalidValue(value, for: property, of: type(of: owner).className())
      }
      let stored = try (element as? ObjectBase).map { object throws(RealmError) in
        try rows.row(of: object)
      }
      if kind == .map {
        rows.set(stored ?? .null, forKey: key)
      } else if let stored {
        if present.indices.contains(position) {
          rows.replace(at: position, with: stored)
        } else {
          rows.insert([stored], at: position)
        }
      }
    }
    if kind == .list {
      if new.count < present.count { rows.remove(new.count..<present.count) }
    } else {
      let keys = Set(new.map { StoredText($0.key) })
      for (key, _) in present where !keys.contains(StoredText(key)) { _ = rows.remove(key: key) }
    }
    return true
  }

  /// Gives an object the values that stand in its place; false where they are no values of it, or
  /// others were given to it before.
  private func change(
    _ row: Int64, in table: Table, to value: Any?
  ) throws(RealmError) -> Bool {
    guard let value = unwrapped(value),
      value is ObjectBase || value is [String: Any?] || value is [Any?],
      let present = try session.object(row: row, in: table)
    else { return false }
    if let object = value as? ObjectBase {
      if object.managedContext === session, object == present { return true }
      guard type(of: object) == table.info.type,
        table.info.isEmbedded || object.managedContext !== session
      else { return false }
      if copies[ObjectIdentifier(table.info.type)]?[object] != nil { return false }
    }
    guard changed.insert(present).inserted else { return false }
    _ = try object(table.info.type, value, changing: present)
    return true
  }

  /// The value with objects of this realm in the place of everything that stands for one.
  private func localized(_ value: Any?, _ property: Property) throws(RealmError) -> Any? {
    guard let value = unwrapped(value) else { return nil }
    switch property.collection {
    case nil:
      return try localizedElement(value, property)
    case .map?:
      guard let entries = mapEntries(value) else { return value }
      var result: [(String, Any?)] = []
      for (key, value) in entries { result.append((key, try localizedElement(value, property))) }
      return MapEntries(result)
    case .list?, .set?:
      guard let values = sequence(value) else { return value }
      var result: [Any?] = []
      for value in values {
        result.append(try localizedElement(value, property))
      }
      return result
    }
  }

  /// The same for a value, or for an element of a collection.
  private func localizedElement(_ value: Any?, _ property: Property) throws(RealmError) -> Any? {
    if property.type == .any, let any = AnyRealmValue.converting(value), any.isNested {
      return try any.mapObjects { object throws(RealmError) in
        (try localized(object, className: nil) as? Object).map { .object($0) } ?? .none
      }
    }
    return try localized(value, className: property.objectClassName)
  }

  private func localized(_ value: Any?, className: String?) throws(RealmError) -> Any? {
    guard let value = unwrapped(value) else { return nil }
    if let object = value as? ObjectBase {
      let isOurs = object.managedContext === session && !(object is EmbeddedObject)
      return isOurs ? object : try self.object(Swift.type(of: object), object)
    }
    if let any = value as? AnyRealmValue, case .object(let object) = any {
      return (try localized(object, className: nil) as? Object).map { AnyRealmValue.object($0) }
    }
    guard let className, value is [String: Any?] || value is [Any?],
      let type = session.store.table(className: className)?.info.type
    else { return value }
    return try object(type, value)
  }
}
