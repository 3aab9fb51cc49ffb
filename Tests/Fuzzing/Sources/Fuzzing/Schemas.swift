import Foundation
import StrataSchema

/// Schemas in the form in which files record them.
enum Schemas {
  static func check(_ bytes: [UInt8]) {
    guard let record = record(bytes) else { return }
    let written = written(record)
    require(self.record(written).map(self.written) == written, "written again")
    let schema = record.schemaWithRetired
    guard SchemaValidator.problems(in: schema).isEmpty else { return }
    require(SchemaDiff.changes(from: schema, to: schema).isEmpty, "a difference to itself")
    for (old, new) in [(Schema([]), schema), (schema, Schema([])), (record.schema, schema)] {
      _ = SchemaTranslator.operations(from: old, to: new, phase: .noBlock) { _, _ in .perRow }
    }
    _ = schema.objectSchema.map { TableSQL.createAll($0) }
  }

  private static func record(_ bytes: [UInt8]) -> SchemaRecord? {
    try? JSONDecoder().decode(SchemaRecord.self, from: Data(bytes))
  }

  private static func written(_ record: SchemaRecord) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(record)).map { [UInt8]($0) } ?? []
  }
}
