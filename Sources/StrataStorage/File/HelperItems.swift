package import StrataSchema

/// The triggers of a schema, and the indexes that are always there: how those in a file differ from
/// the right ones.
package struct HelperItems {
  private(set) var missingTriggers: [Trigger] = []
  /// Names of triggers that the schema doesn't have, or not like that.
  private(set) var wrongTriggers: [String] = []
  private(set) var missingIndexes: [IndexDefinition] = []
  /// Names of indexes that have another definition.
  private(set) var wrongIndexes: [String] = []
  /// Full-text indexes that aren't there, or not like that.
  private(set) var missingTextTables: [TextTable] = []
  /// Names of full-text indexes that the schema doesn't have, or not like that.
  private(set) var wrongTextTables: [String] = []
  /// Full-text indexes that nothing has kept, because a trigger or the table is missing or changed:
  /// all texts must be read again.
  private(set) var staleTextTables: [TextTable] = []

  package init(of schema: Schema, in catalog: Catalog) {
    var triggers: [String: String] = [:]
    var indexes: [String: String] = [:]
    for item in catalog.items {
      if item.isOwnTrigger { triggers[item.name] = item.sql ?? "" }
      if item.type == "index" { indexes[item.name] = item.sql ?? "" }
    }
    let notes = catalog.history.map { HistoryTriggers.all(of: schema, $0) } ?? []
    for trigger in TriggerSQL.all(of: schema) + notes {
      guard triggers[trigger.name] != trigger.sql else {
        triggers[trigger.name] = nil
        continue
      }
      missingTriggers.append(trigger)
    }
    compareTextTables(of: schema, with: catalog, &triggers)
    wrongTriggers = triggers.keys.sorted()
    for index in schema.objectSchema.flatMap(IndexSQL.helpers) {
      let present = indexes[index.name]
      guard present != index.sql else { continue }
      missingIndexes.append(index)
      if present != nil { wrongIndexes.append(index.name) }
    }
  }

  /// - Parameter triggers: Those of the file that belong to nothing so far.
  private mutating func compareTextTables(
    of schema: Schema, with catalog: Catalog, _ triggers: inout [String: String]
  ) {
    var present: [String: String] = [:]
    for item in catalog.items where item.type == "table" {
      let sql = item.sql ?? ""
      if TextTable.isOwn(table: item.name, sql: sql) { present[item.name] = sql }
    }
    for table in schema.textTables {
      let isThere = present[table.name] == table.create
      if isThere { present[table.name] = nil } else { missingTextTables.append(table) }
      let isKept = table.triggers.allSatisfy { triggers[$0.name] == $0.sql }
      if !isThere || !isKept { staleTextTables.append(table) }
      for trigger in table.triggers where isThere && triggers[trigger.name] == trigger.sql {
        triggers[trigger.name] = nil
      }
    }
    wrongTextTables = present.keys.sorted()
  }

  /// Whether tables come or go.
  var changesTextTables: Bool { !wrongTextTables.isEmpty || !missingTextTables.isEmpty }

  package var areRight: Bool {
    missingTriggers.isEmpty && wrongTriggers.isEmpty && missingIndexes.isEmpty
      && staleTextTables.isEmpty && wrongTextTables.isEmpty
  }
}
