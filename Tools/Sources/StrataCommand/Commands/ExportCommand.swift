import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct ExportCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes objects as CSV or JSON, or a whole file for PostgreSQL.",
    discussion: """
      Links are the primary key of the other object, or its identity where its class has none. Without '--class' a \
      folder is made, with a file for each class.

      With '--postgres' all of the file is SQL, which psql loads in one transaction. What PostgreSQL can't hold as it \
      is, such as dates finer than a microsecond, is listed on the error output.

      Examples:
        strata export people.sqlite --class Person > people.csv
        strata export people.sqlite --class Person --where 'age > 3' --sort -age --format ndjson -o old.ndjson
        strata export people.sqlite -o people/
        strata export people.sqlite --postgres | psql --dbname people
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Option(
    name: .customLong("class"), help: ArgumentHelp("The class; all without it.", valueName: "name"))
  var className: String?
  @Option(name: .customLong("where"), help: "Which objects.") var condition: String?
  @Option(
    parsing: .unconditional,
    help: "The order: properties with commas between, '-' in front for descending.")
  var sort: String?
  @Option(help: "How objects are written; without it as CSV.") var format: ExportFormat?
  @Flag(help: "Write all of the file as SQL for PostgreSQL: tables, data, keys and indexes.")
  var postgres = false
  @Option(
    name: [.short, .long], help: ArgumentHelp("The new file, or folder.", valueName: "path"),
    completion: .file())
  var output: String?
  @Flag(help: "Don't say how many objects were written.") var quiet = false
  @OptionGroup var key: KeyOptions

  var paths: [String] { [file] + (output.map { [$0] } ?? []) }

  func validate() throws {
    guard !postgres || (className == nil && condition == nil && sort == nil && format == nil)
    else {
      throw ValidationError(
        "'--postgres' writes all of a file: leave out '--class', '--where', '--sort' and "
          + "'--format'.")
    }
    guard className != nil || (condition == nil && sort == nil) else {
      throw ValidationError("'--where' and '--sort' are about one class: give '--class' as well.")
    }
    guard className != nil || output != nil || postgres else {
      throw ValidationError("All classes are several files: give the folder for them with '-o'.")
    }
  }

  func perform() throws -> CommandResult {
    let asked = try QuestionFile(
      InputFile(file, keyFile: key.keyFile), isQuiet: quiet)
    if postgres { return try exportToPostgres(asked) }
    let format = format ?? .csv
    guard let className else {
      return try exportAll(asked, format, to: output ?? "")
    }
    let keys = (sort ?? "").split(separator: ",").map { name in
      let name = name.trimmingCharacters(in: .whitespaces)
      return name.hasPrefix("-")
        ? Question.SortKey(String(name.dropFirst()), ascending: false)
        : Question.SortKey(name, ascending: true)
    }
    let exporter = Exporter(
      Question(className, where: condition ?? "", sort: keys), format)
    let invalid = InvalidValues(includesEmbedded: true)
    guard let output else {
      try export(exporter, asked, invalid) { text throws in try CommandResult.write(text) }
      invalid.warn()
      return CommandResult([])
    }
    let count = try export(exporter, asked, invalid, toFile: output)
    invalid.warn()
    return CommandResult(
      quiet ? [] : ["\(PlainText.of(output)): \(Figures.count(count, "object"))"])
  }

  private func exportAll(
    _ asked: QuestionFile, _ format: ExportFormat, to folder: String
  ) throws -> CommandResult {
    try OutputFile.require(folder)
    guard mkdir(folder, 0o777) == 0 else {
      let reason = String(cString: strerror(errno))
      throw CommandFailure(
        .cannotCreate, path: folder, "The folder can't be made (\(reason))",
        repair: "Check the path, and the permissions of the folder that it is in.")
    }
    var lines: [String] = []
    var written: [String] = []
    // Embedded classes get files of their own, so their values are counted there.
    let invalid = InvalidValues(includesEmbedded: false)
    do {
      var names = ClassFileNames()
      for object in asked.schema.schema.objectSchema {
        let path = "\(folder)/\(names.next(object.className)).\(format.rawValue)"
        let exporter = Exporter(Question(object.className), format)
        let count = try export(exporter, asked, invalid, toFile: path)
        written.append(path)
        lines.append("\(PlainText.of(path)): \(Figures.count(count, "object"))")
      }
    } catch {
      // An incomplete export is removed. `rmdir` fails if the folder has files of others, and keeps
      // them.
      for path in written { unlink(path) }
      rmdir(folder)
      throw error
    }
    invalid.warn()
    return CommandResult(quiet ? [] : lines)
  }

  private func exportToPostgres(_ asked: QuestionFile) throws -> CommandResult {
    guard let output else {
      let report = try exportToPostgres(asked) { try CommandResult.write($0) }
      write(report.findings)
      return CommandResult([])
    }
    try OutputFile.require(output)
    let file = try NewTextFile(output)
    let report = try exportToPostgres(asked) { try file.write($0) }
    try file.finish()
    write(report.findings)
    return CommandResult(quiet ? [] : [report.line(path: output)])
  }

  private func exportToPostgres(
    _ asked: QuestionFile, _ write: @escaping ([UInt8]) throws -> Void
  ) throws -> PostgresExporter.Report {
    try asked.read { db in
      var exporter = PostgresExporter(db, asked.schema.schema) { bytes in
        try Interruption.check()
        try write(bytes)
      }
      return try exporter.write()
    }
  }

  /// Warns of all differences in PostgreSQL, also with `--quiet`.
  private func write(_ findings: PostgresFindings) {
    for line in findings.lines { Output.writeError("strata: \(line)\n") }
  }

  private func export(
    _ exporter: Exporter, _ asked: QuestionFile, _ invalid: InvalidValues, toFile path: String
  ) throws -> Int {
    try OutputFile.require(path)
    let file = try NewTextFile(path)
    let count = try export(exporter, asked, invalid) { try file.write($0) }
    try file.finish()
    return count
  }

  @discardableResult
  private func export(
    _ exporter: Exporter, _ asked: QuestionFile, _ invalid: InvalidValues,
    _ write: (String) throws -> Void
  ) throws -> Int {
    do {
      return try asked.read { db in
        try exporter.write(db, asked.schema, noting: invalid) { text in
          try Interruption.check()
          try write(text)
        }
      }
    } catch let failure as RequestFailure {
      guard let condition else { throw CommandFailure(.usage, failure.message) }
      throw CommandFailure(failure, in: condition, conditionColumn: 1)
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
