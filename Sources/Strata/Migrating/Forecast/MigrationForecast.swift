public import StrataStorage

/// The changes that opening a file would make: see ``Realm/migrationForecast(for:)``.
public struct MigrationForecast: Sendable, Hashable {
  /// The outcome for the file as a whole.
  public enum Outcome: Sendable, Hashable {
    /// The file needs no changes.
    case nothing
    /// The file is missing or empty, and is created.
    case create
    /// The file gets new classes and indexes, which need no higher version.
    case freeChanges
    /// The file is migrated to a higher version.
    case migrate
    /// The file is emptied and created again: `deleteRealmIfMigrationNeeded`.
    case startOver
  }

  /// One change of the file.
  public struct Operation: Sendable, Hashable {
    /// A sentence with the operation: `Rebuild table 'Person'.`
    public let text: String
    /// The table that the operation changes.
    public let table: String
    /// The number of rows that are read or written; 0 for an operation whose cost doesn't depend on
    /// it.
    public let rows: Int
    /// Whether the whole table is rebuilt.
    public let isRebuild: Bool
    /// The size of a table that is rebuilt, in bytes; nil if SQLite can't report it.
    public let bytes: Int?
  }

  /// A finding in the data that affects a stage.
  public struct Finding: Sendable, Hashable {
    /// The kind of a finding.
    public enum Kind: Sendable, Hashable {
      /// Values of a property are lost (`Person.age`).
      case lostValues(property: String, rows: Int)
      /// A property becomes required and is nil in some rows, which get the default.
      case nilInRequired(property: String, rows: Int)
      /// Values of a new primary key occur more than once. `examples` has the most frequent ones.
      case duplicateKeys(property: String, values: Int, rows: Int, examples: [String])
      /// A class becomes embedded, and some objects have no parent.
      case orphans(className: String, objects: Int)
      /// A class becomes embedded, and some objects have several parents.
      case sharedObjects(className: String, objects: Int)
      /// A class becomes embedded, and an `AnyRealmValue` holds objects of the class.
      case heldByAnyValue(className: String, property: String)
      /// All objects of a class are deleted with their table.
      case droppedClass(className: String, objects: Int)
      /// A new class looks like a class of the file that isn't in the program and keeps its
      /// objects. The class may have been renamed.
      case looksRenamed(from: String, to: String, objects: Int)
      /// References of a table already point to missing rows.
      case danglingReferences(table: String, references: Int)
    }

    /// The consequence of a finding for the migration.
    public enum Consequence: Sendable, Hashable {
      /// The change happens, because it is declared or is the rule.
      case happens
      /// The migration fails.
      case fails
      /// The migration fails, or values are lost, unless a closure handles the finding.
      case dependsOnClosure
      /// The migration fails, unless earlier changes remove the problem: a preceding step deletes
      /// objects, which may be the affected ones.
      case dependsOnEarlierChanges
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The consequence for the migration.
    public let consequence: Consequence
  }

  /// One stage from a version to the next.
  public struct Stage: Sendable, Hashable {
    /// The version before the stage; nil for a new file.
    public let from: UInt64?
    /// The version after the stage.
    public let to: UInt64
    /// Whether the stage runs a closure, whose own work can't be predicted.
    public let runsClosure: Bool
    /// The other operations, in order.
    public let operations: [Operation]
    /// The findings in the current data of the file. A closure may change the data first.
    public let findings: [Finding]
  }

  /// The use that programs of an older version can make of the file afterwards, if they set
  /// ``RealmConfiguration/opensNewerVersions``.
  public struct OlderProgram: Sendable, Hashable {
    /// The use of a file.
    public enum Use: Sendable, Hashable {
      /// Such programs may write, except for ``refusedAdditions``.
      case writing
      /// Such programs may only read.
      case reading
      /// Such programs can't open the file.
      case nothing
    }

    /// The version of the programs.
    public let version: UInt64
    /// The use that they can make of the file.
    public let use: Use
    /// The reasons why not more, as sentences.
    public let reasons: [String]
    /// The reasons why objects of a class can't be added, by the name of the class in the file.
    public let refusedAdditions: [String: [String]]
  }

  /// The path of the file.
  public let path: String
  /// The seed that opening copies first, because the file doesn't exist. The forecast describes the
  /// copy. Nil if the file exists, or without `seedFilePath`.
  public let seedPath: String?
  /// The Realm file that opening converts first, because the file doesn't exist. The forecast
  /// describes the result. Nil if the file exists, or without `convertsRealmFile`.
  public let realmFilePath: String?
  /// The outcome for the file.
  public let outcome: Outcome
  /// The current version of the file; nil for a new one.
  public let from: UInt64?
  /// The version of the program.
  public let to: UInt64
  /// The stages, in order.
  public let stages: [Stage]
  /// The older versions that the file has had, the oldest first, and the use that their programs
  /// can make of the file afterwards. Renames by a closure aren't known.
  ///
  /// The description has them if the configuration has `opensNewerVersions`.
  public let olderPrograms: [OlderProgram]
  let describesOlderPrograms: Bool

  /// The findings that would make the migration fail now.
  public var obstacles: [Finding] {
    stages.flatMap(\.findings).filter { $0.consequence == .fails }
  }

  /// The number of rows that are read or written, without closures.
  public var rows: Int { stages.flatMap(\.operations).reduce(0) { $0 + $1.rows } }
}

extension MigrationForecast: CustomStringConvertible {
  /// A readable table of the stages, with the decisions to make.
  public var description: String {
    ([headline] + stages.map(\.description) + olderLines).joined(separator: "\n\n")
  }

  private var olderLines: [String] {
    olderPrograms.isEmpty || !describesOlderPrograms
      ? [] : [olderPrograms.map(\.description).joined(separator: "\n")]
  }

  private var headline: String {
    if let realmFilePath {
      return "'\(path)' is made of the file of Realm '\(realmFilePath)'. It \(whole)"
    }
    guard let seedPath else { return "'\(path)' \(whole)" }
    return "'\(path)' begins as a copy of the seed '\(seedPath)'. It \(whole)"
  }

  /// The outcome for the file as a sentence.
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
  /// The sign of the consequence: `!` for a failure, `?` if it depends on closures or earlier
  /// changes, `-` for a change that happens.
  fileprivate var sign: String {
    switch consequence {
    case .happens: "-"
    case .fails: "!"
    case .dependsOnClosure, .dependsOnEarlierChanges: "?"
    }
  }

  /// A sentence with the finding and its consequence.
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

extension MigrationForecast.OlderProgram {
  package init(_ program: Schema, version: UInt64, with file: RecordedFile) {
    let compatibility = Compatibility.of(program: program, version: version, with: file)
    let obstacles = compatibility.obstacles(to: .changing)
    let canRead = compatibility.obstacles(to: .reading).isEmpty
    self.init(
      version: version, use: obstacles.isEmpty ? .writing : canRead ? .reading : .nothing,
      reasons: obstacles.map(\.text),
      refusedAdditions: canRead
        ? compatibility.insertions.mapValues { $0.map(\.text) } : [:])
  }

  /// Decides for programs of all versions before the last one.
  static func all(with file: RecordedFile) -> [MigrationForecast.OlderProgram] {
    file.versions.dropLast().map { older in
      MigrationForecast.OlderProgram(
        older.record.schema, version: older.version, with: file)
    }
  }
}

extension MigrationForecast.OlderProgram: CustomStringConvertible {
  /// A sentence with the use, and the reasons on lines of their own.
  public var description: String {
    let verb =
      switch use {
      case .writing: "may read and write"
      case .reading: "may only read"
      case .nothing: "can't open"
      }
    let additions = refusedAdditions.sorted { $0.key < $1.key }.map { className, reasons in
      "\n- Objects of '\(className)' can't be added: \(reasons.joined(separator: " "))"
    }
    return "Programs of version \(version) \(verb) the file."
      + reasons.map { "\n- \($0)" }.joined() + additions.joined()
  }
}

/// The result of opening a copy of a file: see ``Realm/rehearseMigration(for:of:in:)``.
public struct MigrationRehearsal: Sendable {
  /// The forecast for the file, as of the moment of the copy.
  public let forecast: MigrationForecast
  /// The migrations of the copy, in order. A plan whose stages commit on their own has several.
  public let reports: [MigrationReport]
  /// The time from the beginning of the opening until the file could be used. Copying isn't
  /// included.
  public let duration: Duration
  /// The size of the file before, in bytes.
  public let bytesBefore: Int64
  /// The size of the file afterwards, in bytes.
  public let bytes: Int64
  /// The greatest size of the WAL, in bytes.
  public let walBytes: Int64
  /// Problems of the migrated copy. Problems that the file has now are in it, unless the migration
  /// mends them.
  public let problems: [FileProblem]

  /// The space that the migration needs beside the file, in bytes, without a backup and without
  /// SQLite's temporary files: the growth of the file and the greatest WAL.
  public var neededBytes: Int64 { max(0, bytes - bytesBefore) + walBytes }
}

extension MigrationRehearsal: CustomStringConvertible {
  /// The reports, the time and the space, the problems, and what older programs may do with the
  /// file.
  public var description: String {
    func size(_ bytes: Int64) -> String { MigrationForecast.size(Int(clamping: bytes)) }
    var lines = reports.map(\.description)
    if reports.isEmpty { lines.append("Nothing was migrated.") }
    lines.append(
      "Opening took \(duration.milliseconds.grouped) ms. The file had \(size(bytesBefore)) and has "
        + "\(size(bytes)), the WAL had at most \(size(walBytes)).")
    lines.append(
      problems.isEmpty
        ? "The migrated file has no problems."
        : "The migrated file has \(problems.count.grouped) \(problems.count == 1 ? "problem" : "problems"):"
    )
    lines += problems.prefix(Self.maxShownProblems).map { "  \($0)" }
    if problems.count > Self.maxShownProblems {
      lines.append("  and \((problems.count - Self.maxShownProblems).grouped) more")
    }
    return (lines + forecast.olderPrograms.map(\.description)).joined(separator: "\n")
  }

  private static let maxShownProblems = 20
}

extension Int64 {
  fileprivate var grouped: String { Int(self).grouped }
}
