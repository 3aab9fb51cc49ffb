extension MigrationReport: CustomStringConvertible {
  /// The stages with what was done in each, and tables of the classes whose objects came or went.
  ///
  /// ```
  /// Migrated from schema version 1 to 2: 3 rows, 4 ms.
  ///   Add column 'email' to 'Person'.
  ///   class   before  after  created  deleted  merged
  ///   Person       3      2        0        1       0
  /// ```
  public var description: String {
    let time = "\(rows.grouped) rows, \(duration.milliseconds) ms"
    guard let to else { return "Nothing was migrated." }
    let headline =
      from.map { "Migrated from schema version \($0) to \(to): \(time)." }
      ?? "Created at schema version \(to): \(time)."
    let dangling = danglingReferences.sorted { $0.key < $1.key }.map {
      "  \($0.value.grouped) references of table '\($0.key)' led nowhere."
    }
    return
      ([headline] + dangling
      + stages.flatMap { stages.count == 1 ? $0.lines : [$0.headline] + $0.lines })
      .joined(separator: "\n")
  }
}

extension MigrationReport.Stage {
  fileprivate var headline: String {
    let versions = from.map { "From \($0) to \(to)" } ?? "At \(to)"
    return "\(versions): \(rows.grouped) rows, \(duration.milliseconds) ms."
  }

  fileprivate var lines: [String] {
    let restarted = restarted.map {
      "\($0.values.grouped) values of '\($0.property)' were not converted automatically."
    }
    return (operations + restarted + table).map { "  " + $0 }
  }

  private var table: [String] {
    guard !classes.isEmpty else { return [] }
    return AlignedColumns.lines(
      [["class", "before", "after", "created", "deleted", "merged"]]
        + classes.map { rows in
          [rows.className]
            + [rows.before, rows.after, rows.created, rows.deleted, rows.merged].map(\.grouped)
        })
  }
}
