import GRDB

/// Makes one object of the new side of a value, and those that the value contains.
struct MigrationCreator {
  private let context: MigrationContext
  private let table: MigrationTable
  private let info: ClassInfo
  private let copying: Bool

  init(_ context: MigrationContext, _ table: MigrationTable, _ info: ClassInfo, copying: Bool) {
    self.context = context
    self.table = table
    self.info = info
    self.copying = copying
  }

  /// - Throws: ``RealmError`` with code `fail` for a value that doesn't fit.
  func create(_ value: Any) throws(RealmError) -> Int64 {
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
    addDefaults(of: object, to: &links, &collections)
    if table.schema.primaryKey != nil {
      try suspendPrimaryKey()
    }
    let original = value as? ObjectBase
    // Objects in memory may lead back to this one, which must have its row then.
    var elements: [Int: _StoredElement] = [:]
    if original == nil { elements = try resolve(links) }
    let row = try insert(object, elements)
    if let original {
      context.promoted[ObjectIdentifier(original)] = (original, row)
      try update(row, try resolve(links))
      if copying { context.promoted[ObjectIdentifier(original)] = nil }
    }
    for (slot, value) in collections {
      let collection = CollectionInfo(info, slot: slot, index: 0)
      let rows = MigrationCollection(collection, of: DynamicObject(table, row: row))
      try context.assign(value, to: rows, copying: copying)
    }
    return row
  }

  /// What the class itself gives to new objects.
  private func addDefaults(
    of object: ObjectBase, to links: inout [(slot: Int, value: Any?)],
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

  private func suspendPrimaryKey() throws(RealmError) {
    do {
      try context.suspendPrimaryKey(of: table.className)
    } catch {
      throw RealmError(error, at: nil)
    }
  }

  private func resolve(
    _ links: [(slot: Int, value: Any?)]
  ) throws(RealmError) -> [Int: _StoredElement] {
    var elements: [Int: _StoredElement] = [:]
    for (slot, value) in links {
      elements[slot] = try context.element(
        of: value, for: info.properties[slot], of: info.className, copying: copying)
    }
    return elements
  }

  private func insert(
    _ object: ObjectBase, _ elements: [Int: _StoredElement]
  ) throws(RealmError) -> Int64 {
    // Columns that go after the block are still there, and some refuse NULL.
    let leftovers = (context.physical[table.className]?.properties ?? []).filter {
      $0.isStoredInColumn && !$0.isNullable && info.slot(column: $0.columnName) == nil
    }
    let properties = info.columnSlots.map { info.properties[$0] } + leftovers
    let columns = properties.flatMap(\.columns).map { SQLName.quote($0.name) }
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    var values: [_StoredElement] = []
    for slot in info.columnSlots {
      let type = info.properties[slot].type
      if type == .object || type == .any {
        values.append(elements[slot] ?? .null)
      } else {
        values.append(try info.storedElement(slot, of: object))
      }
    }
    values += leftovers.map { _StoredElement(.zero(for: $0.type)) }
    do {
      let statement = try context.new.cachedStatement(
        sql: """
          INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))
          """)
      var index: Int32 = 1
      for (property, value) in zip(properties, values) {
        statement.bind(value, property.columns.count, at: &index)
      }
      _ = try statement.stepRaw()
      return context.new.lastInsertedRowID
    } catch {
      throw RealmError(error, at: nil)
    }
  }

  private func update(_ row: Int64, _ elements: [Int: _StoredElement]) throws(RealmError) {
    guard !elements.isEmpty else { return }
    let slots = elements.keys.sorted()
    let columns = slots.flatMap { info.properties[$0].columns }.map { "\(SQLName.quote($0.name)) = ?" }
    do {
      let statement = try context.new.cachedStatement(
        sql: """
          UPDATE \(table.name) SET \(columns.joined(separator: ", ")) WHERE \(table.identity) = ?
          """)
      var index: Int32 = 1
      for slot in slots {
        statement.bind(
          elements[slot] ?? .null, info.properties[slot].columns.count, at: &index)
      }
      statement.bindRaw(row, at: index)
      _ = try statement.stepRaw()
    } catch {
      throw RealmError(error, at: nil)
    }
  }
}
