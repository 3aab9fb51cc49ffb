import Strata
import StrataStudio

/// The report of `strata diff`: how the classes of two files differ.
struct DiffReport: Hashable {
  var first: SchemaDocument
  var second: SchemaDocument
  var comparison: SchemaComparison

  init(_ first: SchemaDocument, _ second: SchemaDocument) {
    self.first = first
    self.second = second
    comparison = SchemaComparison(first.schema, second.schema)
  }

  var status: CommandStatus { comparison.differences.isEmpty ? .success : .found }

  var lines: [String] {
    let files = FactList.lines([("-", Self.name(first)), ("+", Self.name(second))])
    let facts = second.facts.changes(from: first.facts)
    let rest = facts.isEmpty ? [] : [""] + facts
    guard !comparison.differences.isEmpty else {
      return files + ["", "The classes are the same."] + rest
    }
    let migration =
      comparison.needsMigration
      ? "A file of the first schema needs a migration to the second."
      : "A file of the first schema needs no migration to the second."
    return files + [""] + comparison.lines + rest
      + ["", "\(Figures.count(comparison.count, "difference")). \(migration)"]
  }

  private static func name(_ document: SchemaDocument) -> String {
    document.path + (document.version.map { ", version \($0)" } ?? "")
  }
}

extension JSONValue {
  init(_ report: DiffReport) {
    func side(_ document: SchemaDocument) -> JSONValue {
      .joined(
        [
          "file": .text(document.path),
          "schemaVersion": .optional(document.version) { .unsigned($0) },
        ], document.facts.json)
    }
    self = [
      "first": side(report.first),
      "second": side(report.second),
      "needsMigration": .bool(report.comparison.needsMigration),
      "differences": JSONValue(report.comparison),
    ]
  }
}
