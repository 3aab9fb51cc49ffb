import Strata
import StrataStudio

/// The report of `strata history`: the schema versions of a file, and the changes in each.
struct HistoryReport: Hashable {
  struct Entry: Hashable {
    var version: SchemaVersion
    /// The changes since the previous version; for the first version, all classes.
    var changes: SchemaComparison
    /// The facts for older programs.
    var facts: SchemaFacts
  }

  var path: String
  var entries: [Entry]

  init(path: String, _ history: [SchemaVersion]) {
    self.path = path
    var before = Schema([])
    entries = history.enumerated().map { index, version in
      defer { before = version.schema }
      return Entry(
        version: version, changes: SchemaComparison(before, version.schema),
        facts: SchemaFacts(history[...index].map(\.entry)))
    }
  }

  /// - Parameter showsChanges: Whether the changes are listed; otherwise they are only counted.
  func lines(showsChanges: Bool) -> [String] {
    let table = TextTable(
      columns: [
        .init("version", .right), .init("since"), .init("from", .right), .init("took", .right),
        .init("rows", .right), .init("library"), .init("changes", .right),
        .init("oldest reader", .right), .init("oldest writer", .right),
      ],
      rows: entries.map { entry in
        let version = entry.version
        return [
          "\(version.version)", Figures.time(version.migratedAt),
          version.migratedFrom.map { "\($0)" } ?? "",
          version.duration.map(Figures.duration) ?? "",
          version.rows.map { Figures.count($0) } ?? "", version.libraryVersion ?? "",
          Figures.count(entry.changes.count),
          entry.facts.oldestReader.map { "\($0)" } ?? "",
          entry.facts.oldestWriter.map { "\($0)" } ?? "",
        ]
      })
    guard showsChanges else { return table.lines }
    var before = SchemaFacts()
    return table.lines
      + entries.flatMap { entry in
        let facts = entry.facts.changes(from: before)
        before = entry.facts
        let lines = Array(
          [entry.changes.lines, facts].filter { !$0.isEmpty }.joined(separator: [""]))
        return ["", "version \(entry.version.version)"]
          + (lines.isEmpty ? ["  no changes"] : lines.map { $0.isEmpty ? "" : "  " + $0 })
      }
  }
}

extension JSONValue {
  init(_ report: HistoryReport) {
    self = [
      "file": .text(report.path),
      "versions": .array(
        report.entries.map { entry in
          let version = entry.version
          return .joined(
            [
              "version": .unsigned(version.version),
              "since": .text(Figures.iso(version.migratedAt)),
              "from": .optional(version.migratedFrom) { .unsigned($0) },
              "seconds": .optional(version.duration) { .number(Figures.seconds($0)) },
              "rows": .optional(version.rows) { .int($0) },
              "library": .optional(version.libraryVersion) { .text($0) },
              "changes": JSONValue(entry.changes),
            ], entry.facts.json)
        }),
    ]
  }
}
