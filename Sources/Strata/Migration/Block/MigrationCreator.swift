/// Makes an object of the new side of a value, and those that the value contains.
///
/// An object gets its row before those that it leads to are looked at, so cycles end; and it takes
/// its turn in a queue, so that a long chain needs no deep recursion.
final class MigrationCreator {
  private let context: MigrationContext
  private let copying: Bool
  private var queue: [Work] = []
  private var next = 0
  /// The rows of copies, by the objects of the old side and in memory that they were made of.
  private var copies: [DynamicObject: Int64] = [:]
  private var copiesOfObjects: [ObjectBase: Int64] = [:]

  /// An object with links and collections that are still to be set.
  private struct Work {
    var table: MigrationTable
    var info: ClassInfo
    var row: Int64
    var links: [(slot: Int, value: Any?)]
    var collections: [(slot: Int, value: Any?)]
  }

  private init(_ context: MigrationContext, copying: Bool) {
    self.context = context
    self.copying = copying
  }

  /// Makes an object; returns its row.
  ///
  /// - Parameter copying: Whether objects in memory that the value contains are copied, and not
  ///   made part of the file themselves.
  /// - Throws: ``RealmError`` with code `fail` for a value that doesn't fit.
  static func create(
    _ className: String, value: Any, copying: Bool, in context: MigrationContext
  ) throws(RealmError) -> Int64 {
    // Found while another one is being made: that one goes on with it.
    if let current = context.creator { return try current.object(className, value) }
    let creator = MigrationCreator(context, copying: copying)
    context.creator = creator
    defer {
      context.creator = nil
      context.frozenCopies = [:]
    }
    let row = try creator.object(className, value)
    while creator.next < creator.queue.count {
      let work = creator.queue[creator.next]
      creator.next += 1
      try creator.finish(work)
    }
    return row
  }

  /// Makes the row of an object; what its value contains waits in the queue.
  private func object(_ className: String, _ value: Any) throws(RealmError) -> Int64 {
    guard let table = context.newTable(className) else {
      throw RealmError(.fail, ErrorText.notManaged(className))
    }
    guard let info = context.discovered.classes[className] else {
      return try FrozenCreation(context: context, table: table, copying: copying).create(value)
    }
    if let original = value as? DynamicObject, let row = copies[original] { return row }
    if let original = value as? ObjectBase, let row = copiesOfObjects[original] { return row }
    let object = info.type.init()
    var links: [(slot: Int, value: Any?)] = []
    var collections: [(slot: Int, value: Any?)] = []
    for (slot, value) in try info.values(from: value) where !info.properties[slot].isComputed {
      let property = info.properties[slot]
      if property.collection != nil {
        collections.append((slot, value))
      } else if property.type == .object || property.type == .any {
        links.append((slot, value))
      } else {
        try object.setValue(value, slot: slot, info)
      }
    }
    addDefaults(of: object, info, to: &links, &collections)
    var elements: [Int: _StoredElement] = [:]
    var later: [(slot: Int, value: Any?)] = []
    for (slot, value) in links {
      if isPresent(value) {
        elements[slot] = try element(of: value, info, slot)
      } else {
        later.append((slot, value))
      }
    }
    let row = try insert(object, elements, table, info)
    if let original = value as? DynamicObject { copies[original] = row }
    if let original = value as? ObjectBase {
      if copying {
        copiesOfObjects[original] = row
      } else {
        context.promoted[original] = row
      }
    }
    if !later.isEmpty || !collections.isEmpty {
      queue.append(
        Work(table: table, info: info, row: row, links: later, collections: collections))
    }
    return row
  }

  /// Whether a value of a link makes no object.
  private func isPresent(_ value: Any?) -> Bool {
    switch value {
    case nil: true
    case let object as DynamicObject: object.table.isNew
    case is ObjectBase, is AnyRealmValue, is [String: Any?], is [Any?]: false
    default: true
    }
  }

  private func element(
    of value: Any?, _ info: ClassInfo, _ slot: Int
  ) throws(RealmError) -> _StoredElement {
    try context.element(
      of: value, for: info.properties[slot], of: info.className, copying: copying)
  }

  private func finish(_ work: Work) throws(RealmError) {
    var links: [(property: Property, element: _StoredElement)] = []
    for (slot, value) in work.links {
      links.append((work.info.properties[slot], try element(of: value, work.info, slot)))
    }
    try context.updateRow(work.row, of: work.table, links)
    for (slot, value) in work.collections {
      let rows = MigrationCollection(
        CollectionInfo(work.info, slot: slot, index: 0),
        of: DynamicObject(work.table, row: work.row))
      try context.assign(value, to: rows, copying: copying)
    }
  }

  /// What the class itself gives to new objects.
  private func addDefaults(
    of object: ObjectBase, _ info: ClassInfo, to links: inout [(slot: Int, value: Any?)],
    _ collections: inout [(slot: Int, value: Any?)]
  ) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    for slot in info.columnSlots where !links.contains(where: { $0.slot == slot }) {
      let type = info.properties[slot].type
      if type == .object || type == .any {
        links.append((slot, info.accessors[slot].dynamic(base)))
      }
    }
    for slot in info.collectionSlots where !collections.contains(where: { $0.slot == slot }) {
      guard let collection = info.accessors[slot].collection?(base), collection.count > 0 else {
        continue
      }
      collections.append((slot, collection))
    }
    withExtendedLifetime(object) {}
  }

  private func insert(
    _ object: ObjectBase, _ elements: [Int: _StoredElement], _ table: MigrationTable,
    _ info: ClassInfo
  ) throws(RealmError) -> Int64 {
    var values: [(property: Property, element: _StoredElement)] = []
    for slot in info.columnSlots {
      let property = info.properties[slot]
      if property.type == .object || property.type == .any {
        values.append((property, elements[slot] ?? .null))
      } else {
        values.append((property, try info.storedElement(slot, of: object)))
      }
    }
    return try context.insertRow(into: table, values)
  }
}
