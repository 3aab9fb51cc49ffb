import StrataStorage

/// The changes that opening a file would make: see ``Realm/migrationForecast(for:)``.
public struct MigrationForecast: Sendable, Hashable {
  /// The fate of the file as a whole.
  public enum Outcome: Sendable, Hashable {
    /// It is as the program wants it.
    case nothing
    /// There is none, or an empty one: it is created.
    case create
    /// It gets new classes and indexes, for which no version has to be raised.
    case freeChanges
    /// It is brought to a higher version.
    case migrate
    /// It begins again, empty: `deleteRealmIfMigrationNeeded`.
    case startOver
  }

  /// One thing that is done to the file.
  public struct Operation: Sendable, Hashable {
    /// One sentence: `Rebuild table 'Person'.`
    public let text: String
    /// The table that it is done to.
    public let table: String
    /// How many rows are read or written; 0 for what takes no longer with more rows.
    public let rows: Int
    /// Whether the whole table is rebuilt.
    public let isRebuild: Bool
    /// The size of the table in bytes, for one that is rebuilt; nil where SQLite can't tell.
    public let bytes: Int?
  }

  /// Something in the data that a stage meets.
  public struct Finding: Sendable, Hashable {
    /// The kind of a finding.
    public enum Kind: Sendable, Hashable {
      /// Values of a property go (`Person.age`).
      case lostValues(property: String, rows: Int)
      /// A property becomes required, and is nil in rows, which get its default.
      case nilInRequired(property: String, rows: Int)
      /// Values of a new primary key occur more than once, with the most frequent ones.
      case duplicateKeys(property: String, values: Int, rows: Int, examples: [String])
      /// A class becomes an embedded one, and objects have no parent.
      case orphans(className: String, objects: Int)
      /// A class becomes an embedded one, and objects have several parents.
      case sharedObjects(className: String, objects: Int)
      /// A class becomes an embedded one, and an `AnyRealmValue` holds objects of it.
      case heldByAnyValue(className: String, property: String)
      /// All objects of a class go, with their table.
      case droppedClass(className: String, objects: Int)
      /// A class is new, and looks like one of the file that the program doesn't have, and whose
      /// objects stay where they are: maybe it was given another name.
      case looksRenamed(from: String, to: String, objects: Int)
      /// References of a table lead nowhere, already now.
      case danglingReferences(table: String, references: Int)
    }

    /// The meaning of a finding for the migration.
    public enum Consequence: Sendable, Hashable {
      /// It happens, as was declared, or as is the rule.
      case happens
      /// The migration fails.
      case fails
      /// The migration fails, or values are lost, unless a closure handles it.
      case dependsOnClosure
      /// The migration fails, unless the objects that it is about are others by then: something
      /// before it deletes objects, and it may be these.
      case dependsOnEarlierChanges
    }

    /// What was found.
    public let kind: Kind
    /// What it means for the migration.
    public let consequence: Consequence
  }

  /// One stage from a version to the next.
  public struct Stage: Sendable, Hashable {
    /// The version before; nil for a new file.
    public let from: UInt64?
    /// The version after.
    public let to: UInt64
    /// Whether it runs a closure, whose own work can't be foreseen.
    public let runsClosure: Bool
    /// What is done besides, in order.
    public let operations: [Operation]
    /// What it meets in the data that is in the file now. After a closure the data may be other.
    public let findings: [Finding]
  }

  /// The file.
  public let path: String
  /// The seed that opening copies to there first, because there is no file yet: the forecast is
  /// that of the copy. Nil where there is a file, or no `seedFilePath`.
  public let seedPath: String?
  /// The file of Realm that opening makes the file of first, because there is no file yet: the
  /// forecast is that of what it becomes. Nil where there is a file, or no `convertsRealmFile`.
  public let realmFilePath: String?
  /// What becomes of it.
  public let outcome: Outcome
  /// The version that the file is at; nil for a new one.
  public let from: UInt64?
  /// The version of the program.
  public let to: UInt64
  /// The stages, in order.
  public let stages: [Stage]

  /// What would make the migration fail as things are.
  public var obstacles: [Finding] {
    stages.flatMap(\.findings).filter { $0.consequence == .fails }
  }

  /// How many rows are read or written, closures aside.
  public var rows: Int { stages.flatMap(\.operations).reduce(0) { $0 + $1.rows } }
}

extension MigrationForecast: CustomStringConvertible {
  /// A table for a person, with what has to be decided.
  public var description: String {
    ([headline] + stages.map(\.description)).joined(separator: "\n\n")
  }

  private var headline: String {
    if let realmFilePath {
      return "'\(path)' is made of the file of Realm '\(realmFilePath)'. It \(whole)"
    }
    guard let seedPath else { return "'\(path)' \(whole)" }
    return "'\(path)' begins as a copy of the seed '\(seedPath)'. It \(whole)"
  }

  /// What becomes of the file as a whole.
  private var whole: String {
    switch outcome {
    case .nothing: "is at schema version \(to), and needs nothing."
    case .create: "is created at schema version \(to)."
    case .freeChanges:
      "stays at schema version \(to), and gets what needs no higher one."
    case .startOver: "begins again at schema version \(to), empty."
    case .migrate:
      "is migrated from schema version \(from ?? 0) to \(to): "
        + "\(stages.count) \(stages.count == 1 ? "stage" : "stages"), \(rows.grouped) rows besides "
        + "closures, \(obstacles.isEmpty ? "no obstacles" : "\(obstacles.count) \(obstacles.count == 1 ? "obstacle" : "obstacles")")."
    }
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_024: return "\(bytes) B"
    case ..<1_048_576: return "\(bytes / 1_024) KB"
    default:
      let tenths = bytes / 104_858
      return "\(tenths / 10).\(tenths % 10) MB"
    }
  }
}

extension MigrationForecast.Stage: CustomStringConvertible {
  public var description: String {
    let versions = from.map { "Version \($0) to \(to)" } ?? "Version \(to)"
    let rows = operations.map {
      [
        $0.text, $0.rows == 0 ? "" : $0.rows.grouped,
        $0.bytes.map(MigrationForecast.size) ?? "",
      ]
    }
    var lines = ["\(versions)\(runsClosure ? ", with a closure" : ""):"]
    if !rows.isEmpty {
      let numbers = [""] + rows.indices.map { "\($0 + 1)" }
      let width = String(rows.count).count
      let table = AlignedColumns.lines([["what", "rows", "size"]] + rows)
      lines += zip(numbers, table).map { number, line in
        "  \(String(repeating: " ", count: width - number.count))\(number)  \(line)"
      }
    } else if findings.isEmpty, !runsClosure {
      lines.append("     nothing")
    }
    lines += findings.map { "  \($0.sign)  \($0)" }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    .joined(separator: "\n")
  }
}

extension MigrationForecast.Finding: CustomStringConvertible {
  /// `!` for what fails, `?` for what depends on closures or earlier changes, `-` for what happens.
  fileprivate var sign: String {
    switch consequence {
    case .happens: "-"
    case .fails: "!"
    case .dependsOnClosure, .dependsOnEarlierChanges: "?"
    }
  }

  /// What it is, and what comes of it.
  public var description: String {
    func count(_ value: Int, _ noun: String) -> String {
      "\(value.grouped) \(noun)\(value == 1 ? "" : "s")"
    }
    let text =
      switch kind {
      case .lostValues(let property, let rows):
        "'\(property)' loses its values in \(count(rows, "row"))"
      case .nilInRequired(let property, let rows):
        "'\(property)' becomes required, and is nil in \(count(rows, "row")), which get the default"
      case .duplicateKeys(let property, let values, let rows, let examples):
        "'\(property)' becomes the primary key, and \(count(values, "value")) "
          + "\(values == 1 ? "is" : "are") in more than one of \(count(rows, "row")) "
          + "(\(examples.joined(separator: ", ")))"
      case .orphans(let className, let objects):
        "'\(className)' becomes embedded, and \(count(objects, "object")) "
          + "\(objects == 1 ? "has" : "have") no parent"
      case .sharedObjects(let className, let objects):
        "'\(className)' becomes embedded, and \(count(objects, "object")) "
          + "\(objects == 1 ? "has" : "have") several parents"
      case .heldByAnyValue(let className, let property):
        "'\(className)' becomes embedded, and the AnyRealmValue '\(property)' holds objects of it"
      case .droppedClass(let className, let objects):
        "'\(className)' is dropped, with \(count(objects, "object"))"
      case .looksRenamed(let old, let new, let objects):
        "'\(new)' is new and looks like '\(old)', whose \(count(objects, "object")) "
          + "\(objects == 1 ? "stays" : "stay") in a table that the program doesn't know"
      case .danglingReferences(let table, let references):
        "\(count(references, "reference")) of '\(table)' \(references == 1 ? "already points" : "already point") "
          + "to \(references == 1 ? "a missing row" : "missing rows")"
      }
    switch consequence {
    case .happens: return text + "."
    case .fails: return text + ": the migration fails."
    case .dependsOnClosure: return text + ", unless the closure handles it."
    case .dependsOnEarlierChanges: return text + ", unless that has changed by then."
    }
  }
}
