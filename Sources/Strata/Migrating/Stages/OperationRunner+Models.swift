import GRDB
import StrataSchema
import StrataStorage

extension OperationRunner {
  /// A runner for the classes of the program.
  convenience init(
    _ db: Database, _ discovered: DiscoveredSchema, file: Schema, report: MigrationReport.Stage
  ) {
    self.init(
      db, target: discovered.schema, classes: discovered.classes, file: file, report: report)
  }
}

extension ClassInfo: ModelClass {
  func defaultValues(_ slots: [_PropertySlot]) throws(RealmError) -> [StoredValue] {
    let object = type.init()
    var values: [StoredValue] = []
    for slot in slots { values.append(try storedValue(slot, of: object)) }
    return values
  }
}
