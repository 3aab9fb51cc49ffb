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
    /// The operations in their order, one sentence each.
    public package(set) var operations: [String] = []
    /// The number of rows that were passed to the closure, copied or filled.
    public package(set) var rows = 0
    /// The balance of each class that a loop has processed, or whose objects were created, deleted,
    /// merged or embedded, sorted by name. In a class that isn't listed, no objects were added or
    /// deleted.
    public package(set) var classes: [ClassRows] = []
    /// Properties whose type changed, and the number of their values. These values are lost unless
    /// the closure copied them.
    public package(set) var restarted: [Restarted] = []
    /// The renamed classes, from a declaration or a closure, in order.
    public package(set) var renamedClasses: [RenamedClass] = []
    /// The renamed properties, from a declaration or a closure, in order.
    public package(set) var renamedProperties: [RenamedProperty] = []
    /// The names before and after all renames. The two lists above don't contain the order of class
    /// and property renames.
    package private(set) var names = ChangedNames()
    /// The number of objects that a transform has changed, by the present name of the class.
    package private(set) var transformed: [String: Int] = [:]
    /// The classes that were removed with all their objects, by their names at that time, in order.
    public package(set) var droppedClasses: [String] = []
    /// The duration of the stage.
    public package(set) var duration: Duration = .zero

    package init(from: UInt64?, to: UInt64) {
      self.from = from
      self.to = to
    }
  }

  /// A property whose type changed.
  public struct Restarted: Sendable, Hashable {
    /// The property, such as `Person.age`.
    public let property: String
    /// The number of its values, or elements.
    public let values: Int
  }

  /// A renamed class.
  public struct RenamedClass: Sendable, Hashable {
    /// The previous name.
    public let old: String
    /// The new name.
    public let new: String
  }

  /// A renamed property, by its column.
  public struct RenamedProperty: Sendable, Hashable {
    /// The class, by its name at that time.
    public let className: String
    /// The previous name.
    public let old: String
    /// The new name.
    public let new: String
  }

  /// The previous version of the file; nil for a new one.
  public package(set) var from: UInt64?
  /// The stages, in their order.
  public package(set) var stages: [Stage] = []
  /// The number of references between tables that were dangling before the migration, by table.
  /// References of model classes were set to nil, as they are read. Others were left unchanged.
  public package(set) var danglingReferences: [String: Int] = [:]
  /// The duration of the migration, including the commit.
  public package(set) var duration: Duration = .zero

  package init(from: UInt64?) { self.from = from }

  /// The present version of the file.
  public var to: UInt64? { stages.last?.to ?? from }

  /// The number of rows that were passed to closures, copied or filled.
  public var rows: Int { stages.reduce(0) { $0 + $1.rows } }
}

extension MigrationReport.Stage {
  package mutating func recordRename(ofClass old: String, to new: String) {
    renamedClasses.append(MigrationReport.RenamedClass(old: old, new: new))
    names.renameClass(old, to: new)
    transformed[new] = transformed.removeValue(forKey: old)
  }

  package mutating func recordRename(ofProperty old: String, of className: String, to new: String) {
    renamedProperties.append(.init(className: className, old: old, new: new))
    names.renameProperty(old, of: className, to: new)
  }

  package mutating func recordTransformed(_ className: String, _ count: Int) {
    transformed[className, default: 0] += count
  }

  /// Returns the entry of the stage in a history.
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
  /// Logs one line at the given level, and each operation at `debug`. Values of rows are never
  /// logged.
  ///
  /// Creating a file is not a migration: its line is logged at debug as well.
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

/// A table of texts. The first column is aligned to the left; the others, numbers, to the right.
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
  /// The number with separators, such as `1,234,567`.
  package var grouped: String {
    var digits = Array(String(self).reversed())
    for position in stride(from: 3, to: digits.count, by: 3).reversed() {
      digits.insert(",", at: position)
    }
    return String(digits.reversed())
  }
}

extension MigrationReport: CustomStringConvertible {
  /// The stages with their operations, and tables of the classes with added or deleted objects.
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
