package import Logging
package import StrataSchema

/// The report of a migration, version by version.
public struct MigrationReport: Sendable, Hashable {
  /// The report of one stage: from one version to the next.
  public struct Stage: Sendable, Hashable {
    /// The version before; nil for a new file.
    public package(set) var from: UInt64?
    /// The version after.
    public package(set) var to: UInt64
    /// What was done, in order, one sentence each.
    public package(set) var operations: [String] = []
    /// How many rows were shown to the closure, copied or filled.
    public package(set) var rows = 0
    /// What became of the objects of each class that a loop has gone through, or whose objects were
    /// created, deleted, merged or embedded, sorted by name. Of a class that isn't listed no object
    /// has come or gone.
    public package(set) var classes: [ClassRows] = []
    /// Properties whose type changed, and how many values they had, which are lost unless the
    /// closure carried them over.
    public package(set) var restarted: [Restarted] = []
    /// The classes that were given another name, by a declaration or a closure, in order.
    public package(set) var renamedClasses: [RenamedClass] = []
    /// The properties that were given another name, by a declaration or a closure, in order.
    public package(set) var renamedProperties: [RenamedProperty] = []
    /// The names before and after all renames, whose order the two lists above don't tell.
    package private(set) var names = ChangedNames()
    /// By the name that the class has now, the number of objects that a transform has changed.
    package private(set) var transformed: [String: Int] = [:]
    /// The classes that went with all of their objects, by the names that they had then, in order.
    public package(set) var droppedClasses: [String] = []
    /// How long it took.
    public package(set) var duration: Duration = .zero

    package init(from: UInt64?, to: UInt64) {
      self.from = from
      self.to = to
    }
  }

  /// A property whose type changed.
  public struct Restarted: Sendable, Hashable {
    /// `Person.age`.
    public let property: String
    /// How many values, or elements, it had.
    public let values: Int
  }

  /// A class that was given another name.
  public struct RenamedClass: Sendable, Hashable {
    /// The name before.
    public let old: String
    /// The name after.
    public let new: String
  }

  /// A property that was given another name, by its column.
  public struct RenamedProperty: Sendable, Hashable {
    /// The class, as it was called then.
    public let className: String
    /// The name before.
    public let old: String
    /// The name after.
    public let new: String
  }

  /// The version that the file was at; nil for a new one.
  public package(set) var from: UInt64?
  /// The stages, in their order.
  public package(set) var stages: [Stage] = []
  /// References between tables that led nowhere before the migration: by tables, how many. Those of
  /// model classes were made nil, which is what they read as; others were left alone.
  public package(set) var danglingReferences: [String: Int] = [:]
  /// How long it took, with the commit.
  public package(set) var duration: Duration = .zero

  package init(from: UInt64?) { self.from = from }

  /// The version that the file is at now.
  public var to: UInt64? { stages.last?.to ?? from }

  /// How many rows were shown to closures, copied or filled.
  public var rows: Int { stages.reduce(0) { $0 + $1.rows } }
}

extension MigrationReport.Stage {
  package mutating func noteRename(ofClass old: String, to new: String) {
    renamedClasses.append(MigrationReport.RenamedClass(old: old, new: new))
    names.renameClass(old, to: new)
    transformed[new] = transformed.removeValue(forKey: old)
  }

  package mutating func noteRename(ofProperty old: String, of className: String, to new: String) {
    renamedProperties.append(.init(className: className, old: old, new: new))
    names.renameProperty(old, of: className, to: new)
  }

  package mutating func noteTransformed(_ className: String, _ count: Int) {
    transformed[className, default: 0] += count
  }

  /// The entry of the stage in a history.
  ///
  /// - Parameters:
  ///   - before: What was in the file before the stage.
  ///   - after: What is there after it.
  package func historyEntry(from before: Schema, to after: Schema) -> HistoryMigration {
    var entry = HistoryMigration(from: from, to: to, before: before, after: after, names: names)
    for rows in classes { entry.rewritten[rows.className] = rows.after }
    for (name, count) in transformed {
      entry.rewritten[name] = max(entry.rewritten[name] ?? 0, count)
    }
    return entry
  }
}

extension MigrationReport {
  /// One line at the given level, and each operation at `debug`. Values of rows are never logged.
  ///
  /// Creating a file is not a migration: its line is at debug as well.
  package func log(to logger: Logger, at level: Logger.Level, path: String) {
    guard let to else { return }
    let operations = stages.flatMap(\.operations)
    let metadata: Logger.Metadata = [
      "strata.path": "\(path)", "strata.version": "\(to)",
      "strata.operations": "\(operations.count)",
      "strata.rows": "\(rows)", "strata.duration": "\(duration)",
    ]
    let versions = from.map { "from schema version \($0) to \(to)" } ?? "at schema version \(to)"
    var line = "\(from == nil ? "Created" : "Migrated") '\(path)' \(versions): "
    line +=
      "\(operations.count) operation\(operations.count == 1 ? "" : "s"), \(rows) rows, \(duration.milliseconds) ms"
    for restarted in stages.flatMap(\.restarted) {
      line +=
        "; \(restarted.values) values of '\(restarted.property)' were not converted automatically"
    }
    logger.log(level: from == nil ? .debug : level, "\(line)", metadata: metadata)
    for (index, operation) in operations.enumerated() {
      logger.debug("Operation \(index + 1): \(operation)")
    }
  }
}

extension Duration {
  package var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// Rows of texts in columns, of which the first begins at the left and the others, numbers, end at
/// the right.
package enum AlignedColumns {
  package static func lines(_ rows: [[String]]) -> [String] {
    guard let first = rows.first else { return [] }
    let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }
      .joined(separator: "  ")
    }
  }
}

extension Int {
  /// `1,234,567`.
  package var grouped: String {
    var digits = Array(String(self).reversed())
    for position in stride(from: 3, to: digits.count, by: 3).reversed() {
      digits.insert(",", at: position)
    }
    return String(digits.reversed())
  }
}

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
