import StrataSchema
import TestKit

extension FakeFile.Table {
  /// SQLite takes names that differ in ASCII case for one.
  func checkNames() throws {
    let names = ([identity] + columns.map(\.name)).map(SQLName.folded)
    if Set(names).count != names.count { throw refusal("Duplicate column in \(names).") }
  }

  mutating func add(_ property: Property, _ value: ColumnDefault) throws {
    for column in property.columns {
      columns.append(column)
      let isMain = SQLName.same(column.name, property.columnName)
      row[column.name] =
        switch value {
        case .constant(let value): isMain ? value : .null
        case .perRow: .zero(for: property.type)
        }
      if column.isRequired, row[column.name] == .null { throw refusal("NULL in a new column.") }
    }
  }

  mutating func rebuild(_ rebuild: TableRebuild) throws {
    let target = rebuild.target
    guard rebuild.sourceIdentityColumn == identity else { throw refusal("Wrong identity.") }
    guard target.primaryKey == nil, primaryKey == nil else { throw refusal("A key is lost.") }
    guard rebuild.columns.map(\.property) == target.properties.filter(\.isStoredInColumn) else {
      throw refusal("The columns are not those of the target.")
    }
    var new: [String: StoredValue] = [:]
    for column in rebuild.columns {
      try copy(column, into: &new)
    }
    identity = target.identityColumn
    columns = target.properties.flatMap(\.columns)
    row = new
    indexes = Set(
      target.properties
        .filter { $0.isStoredInColumn && ($0.wantsIndex || $0.type == .object) }
        .map(\.columnName))
    compoundIndexes = []
    for columns in target.compoundIndexes { try createCompoundIndex(columns) }
  }

  private func copy(
    _ column: TableRebuild.Column, into new: inout [String: StoredValue]
  ) throws {
    let property = column.property
    if let helper = property.typeColumnName { new[helper] = .null }
    switch column.source {
    case .column(let name):
      new[property.columnName] = try value(of: name)
      if let helper = property.typeColumnName { new[helper] = try value(of: name + "_type") }
    case .columnOrDefault(let name, let value):
      let old = try self.value(of: name)
      new[property.columnName] = old == .null ? value : old
    case .value(let value):
      new[property.columnName] = value
    case .expression: throw refusal("Only a block has expressions.")
    }
    if !property.isNullable, new[property.columnName] == .null {
      throw refusal("NULL in required column \(property.columnName).")
    }
  }

  mutating func fill(_ properties: [Property], onlyNull: Bool) throws {
    for property in properties {
      let old = try value(of: property.columnName)
      if !onlyNull || old == .null { row[property.columnName] = FakeFile.filled }
    }
  }

  mutating func drop(_ name: String) throws {
    _ = try value(of: name)
    guard !isIndexed(name) else { throw refusal("It is indexed.") }
    guard columns.allSatisfy({ $0.name != name || $0.references == nil }) else {
      throw refusal("It has a foreign key.")
    }
    columns.removeAll { $0.name == name }
    row[name] = nil
  }

  mutating func rename(_ from: String, _ to: String) throws {
    if from == identity {
      identity = to
      return
    }
    guard let index = columns.firstIndex(where: { SQLName.same($0.name, from) }) else {
      throw refusal("No such column.")
    }
    guard !isIndexed(from) else { throw refusal("It is indexed.") }
    columns[index].name = to
    row[to] = row.removeValue(forKey: from)
  }

  mutating func createIndex(_ column: String) throws {
    _ = try value(of: column)
    guard primaryKey != column, indexes.insert(column).inserted else {
      throw refusal("The index exists.")
    }
  }

  mutating func dropIndex(_ column: String) throws {
    guard indexes.remove(column) != nil else { throw refusal("No such index.") }
  }

  private func isIndexed(_ column: String) -> Bool {
    indexes.contains(column) || primaryKey == column
      || compoundIndexes.contains { $0.contains(column) }
  }

  mutating func createCompoundIndex(_ columns: [String]) throws {
    for column in columns { _ = try value(of: column) }
    guard compoundIndexes.insert(columns).inserted else { throw refusal("The index exists.") }
  }

  mutating func dropCompoundIndex(_ columns: [String]) throws {
    guard compoundIndexes.remove(columns) != nil else { throw refusal("No such index.") }
  }

  mutating func createPrimaryKey(_ column: String) throws {
    _ = try value(of: column)
    guard primaryKey == nil, !indexes.contains(column) else { throw refusal("The index exists.") }
    primaryKey = column
  }

  mutating func dropPrimaryKey(_ column: String) throws {
    guard primaryKey == column else { throw refusal("It is not the key.") }
    primaryKey = nil
  }

  private func value(of column: String) throws -> StoredValue {
    guard columns.contains(where: { SQLName.same($0.name, column) }) else {
      throw refusal("No such column \(column).")
    }
    return row[column] ?? .null
  }
}
