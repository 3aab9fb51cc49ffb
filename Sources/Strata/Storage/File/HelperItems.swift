/// The triggers of a schema, and the indexes that are always there: how those in a file differ from
/// the right ones.
struct HelperItems {
  private(set) var missingTriggers: [Trigger] = []
  /// Names of triggers that the schema doesn't have, or not like that.
  private(set) var wrongTriggers: [String] = []
  private(set) var missingIndexes: [IndexDefinition] = []
  /// Names of indexes that have another definition.
  private(set) var wrongIndexes: [String] = []

  init(of schema: Schema, in catalog: Catalog) {
    var triggers: [String: String] = [:]
    var indexes: [String: String] = [:]
    for item in catalog.items {
      if item.isOwnTrigger { triggers[item.name] = item.sql ?? "" }
      if item.type == "index" { indexes[item.name] = item.sql ?? "" }
    }
    for trigger in TriggerSQL.all(of: schema) {
      guard triggers[trigger.name] != trigger.sql else {
        triggers[trigger.name] = nil
        continue
      }
      missingTriggers.append(trigger)
    }
    wrongTriggers = triggers.keys.sorted()
    for index in schema.objectSchema.flatMap(IndexSQL.helpers) {
      let present = indexes[index.name]
      guard present != index.sql else { continue }
      missingIndexes.append(index)
      if present != nil { wrongIndexes.append(index.name) }
    }
  }

  var areRight: Bool {
    missingTriggers.isEmpty && wrongTriggers.isEmpty && missingIndexes.isEmpty
  }
}
