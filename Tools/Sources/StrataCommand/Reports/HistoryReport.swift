import Strata
import StrataStudio

/// The report of `strata history`: the schema versions of a file, and the changes in each.
struct HistoryReport: Hashable {
  struct Entry: Hashable {
    var version: SchemaVersion
    /// The changes since the previous version; for the first version, all classes.
    var changes: SchemaComparison
  }

  var path: String
  var entries: [Entry]

  init(path: String, _ history: [SchemaVersion]) {
    self.path = path
    var before = Schema([])
    entries = history.map { version in
      defer { before = version.schema }
      return Entry(version: version, changes: SchemaComparison(before, version.schema))
    }
  }

  /// - Parameter showsChanges: Whether the changes are listed; otherwise they are only counted.
  func lines(showsChanges: Bool) -> [String] {
    let table = TextTable(
      columns: [
        .init("version", .right), .init("since"), .init("from", .right), .init("took", .right),
        .init("rows", .right), .init("library"), .init("changes", .right),
      ],
      rows: entries.map { entry in
        let version = entry.version
        return [
          "\(version.version)", Figures.time(version.migratedAt),
          version.migratedFrom.map { "\($0)" } ?? "",
          version.duration.map(Figures.duration) ?? "",
          version.rows.map { Figures.count($0) } ?? "", version.libraryVersion ?? "",
          Figures.count(entry.changes.count),
        ]
      })
    guard showsChanges else { return table.lines }
    return table.lines
      + entries.flatMap { entry in
        let lines = entry.changes.lines
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
          [
            "version": .unsigned(entry.version.version),
            "since": .text(Figures.iso(entry.version.migratedAt)),
            "from": .optional(entry.version.migratedFrom) { .unsigned($0) },
            "seconds": .optional(entry.version.duration) { .number(Figures.seconds($0)) },
            "rows": .optional(entry.version.rows) { .int($0) },
            "library": .optional(entry.version.libraryVersion) { .text($0) },
            "changes": JSONValue(entry.changes),
          ]
        }),
    ]
  }
}
