import CustomDump
import StrataSchema
import TestKit
import Testing

/// Two random schemas, a file with the first, and what must be in the file after the plan.
struct RandomPair {
  let seed: Int
  let old: Schema
  let new: Schema
  /// Columns whose value is NULL in the file, if they may be.
  private let isNull: Bool

  init(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    self.seed = seed
    old = RandomSchema.make(using: &generator)
    new = RandomSchema.make(besides: old, using: &generator)
    isNull = seed.isMultiple(of: 2)
  }

  /// The plans for all three phases.
  var allPlans: [OperationList] {
    let before = plan(from: old, .beforeBlock)
    return [before, plan(from: before.schema, .afterBlock), plan(from: old, .noBlock)]
  }

  func plan(from schema: Schema, _ phase: SchemaTranslator.Phase) -> OperationList {
    SchemaTranslator.operations(from: schema, to: new, phase: phase, defaults: Self.default)
  }

  /// Applies the plans of these phases to the file and looks at it after each.
  func check(_ phases: [SchemaTranslator.Phase]) throws {
    let start = try FakeFile(old, value: value)
    var file = start
    var schema = old
    for phase in phases {
      let plan = plan(from: schema, phase)
      do {
        try file.apply(plan.operations)
      } catch {
        Issue.record("seed \(seed), \(phase): \(error)\n\(plan)")
        return
      }
      schema = plan.schema
      expectShape(of: file, schema)
      if phase == .beforeBlock {
        for wanted in new.stored.objectSchema {
          let key = schema[wanted.className]?.primaryKey
          expectTrue(
            key == nil
              || (key == wanted.primaryKey && key == old.stored[wanted.className]?.primaryKey))
        }
      }
    }
    expectKinds(of: file)
    var expected = old.stored
    for schema in new.stored.objectSchema { expected.update(schema) }
    expectNoDifference(schema, expected, "seed \(seed)")
    for (name, table) in file.tables {
      if new[name] == nil {
        expectEqual(table, start.tables[name], "seed \(seed): '\(name)' is not in the model")
      } else if let before = old[name] {
        expectValues(table.row, in: name, before)
      }
    }
    for (name, collection) in file.collections {
      expectValues(of: collection, start.collections[name])
    }
  }

  /// Each change of kind is made once, parents before children.
  private func expectKinds(of file: FakeFile) {
    let changed = new.objectSchema.filter { schema in
      old[schema.className].map { $0.isEmbedded != schema.isEmbedded } ?? false
    }
    expectEqual(
      file.changedKinds.sorted(), changed.map(\.className).sorted(), "seed \(seed)")
    for (position, name) in file.changedKinds.enumerated() {
      guard let schema = new[name], schema.isEmbedded else { continue }
      let children = schema.properties.filter { $0.type == .object }.map(\.objectClassName)
      expectTrue(
        file.changedKinds[..<position].allSatisfy {
          new[$0]?.isEmbedded == false || !children.contains($0)
        }, "seed \(seed)")
    }
  }

  private func expectValues(of collection: FakeFile.Collection, _ same: FakeFile.Collection?) {
    let table = collection.table
    guard new[table.className] != nil else {
      expectEqual(collection, same, "seed \(seed): '\(table.name)' is not in the model")
      return
    }
    let before = old.stored[table.className]?.collectionTables.first {
      $0.property.typeName == table.property.typeName
        && SQLName.folded($0.name) == SQLName.folded(table.name)
    }
    let expected = before.map(FakeFile.values) ?? []
    let zero = table.isNullable ? StoredValue.null : .zero(for: table.property.type)
    expectEqual(
      collection.values, expected.map { $0 == .null ? zero : $0 },
      "seed \(seed): '\(table.name)'")
  }

  /// A default for half of the columns is the same in each row.
  private static func `default`(_ className: String, _ property: Property) -> ColumnDefault {
    property.columnName.utf8.count.isMultiple(of: 2) ? .perRow : .constant(.text("default"))
  }

  private func value(_ className: String, _ column: ColumnDefinition) -> StoredValue {
    isNull && !column.isRequired ? .null : .text("\(className).\(column.name)")
  }

  private func expectShape(of file: FakeFile, _ schema: Schema) {
    expectEqual(Set(file.tables.keys), Set(schema.objectSchema.map(\.className)), "seed \(seed)")
    expectNoDifference(
      Set(file.collections.values.map(\.table)),
      Set(schema.objectSchema.flatMap(\.collectionTables)), "seed \(seed)")
    for schema in schema.objectSchema {
      guard let table = file.tables[schema.className] else { continue }
      let columns = Set(schema.properties.flatMap(\.columns))
      let indexes = schema.properties.filter {
        $0.isStoredInColumn && ($0.wantsIndex || $0.type == .object)
          && $0.columnName != schema.primaryKey
      }
      expectEqual(table.identity, schema.identityColumn, "seed \(seed)")
      expectNoDifference(Set(table.columns), columns, "seed \(seed)")
      expectEqual(table.columns.count, columns.count, "seed \(seed)")
      // Indexes of links are created with the triggers that need them, if no operation created
      // them.
      let links = indexes.filter { $0.type == .object }.map(\.columnName)
      expectEqual(table.indexes.union(links), Set(indexes.map(\.columnName)), "seed \(seed)")
      expectEqual(table.primaryKey, schema.primaryKey, "seed \(seed)")
      expectEqual(table.compoundIndexes, Set(schema.compoundIndexes), "seed \(seed)")
    }
  }

  private func expectValues(
    _ row: [String: StoredValue], in className: String, _ before: ObjectSchema
  ) {
    for property in new[className]?.properties ?? [] where property.isStoredInColumn {
      let old = before.properties.first {
        $0.isStoredInColumn && $0.typeName == property.typeName
          && SQLName.folded($0.columnName) == SQLName.folded(property.columnName)
      }
      let kept = old?.columns.first.map { value(className, $0) } ?? .null
      let fallback: StoredValue =
        switch Self.default(className, property) {
        case .constant(let value): value
        case .perRow: FakeFile.filled
        }
      let expected = kept == .null && !property.isNullable ? fallback : kept
      expectEqual(
        row[property.columnName], expected,
        "seed \(seed): '\(className).\(property.columnName)'")
      if let helper = property.typeColumnName {
        let kept = old?.columns.last.map { value(className, $0) } ?? .null
        expectEqual(row[helper], kept, "seed \(seed): '\(className).\(helper)'")
      }
    }
  }
}
