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
  @Option(help: "How objects are written; without it as CSV.") var format: ObjectFormat?
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
    let keys = (sort ?? "").split(separator: ",").map {
      Question.SortKey(marked: $0.trimmingCharacters(in: .whitespaces))
    }
    let exporter = Exporter(
      Question(className, where: condition ?? "", sort: keys), format)
    let invalid = InvalidValues(includesEmbedded: true)
    let count = try export(exporter, asked, invalid, to: output)
    invalid.warn()
    return CommandResult(
      output.map { ["\(PlainText.of($0)): \(Figures.count(count, "object"))"] } ?? [])
  }

  private func exportAll(
    _ asked: QuestionFile, _ format: ObjectFormat, to folder: String
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
        let count = try export(exporter, asked, invalid, to: path)
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
    return CommandResult(lines)
  }

  /// Exports the whole file, and warns of all differences in PostgreSQL, also with `--quiet`.
  private func exportToPostgres(_ asked: QuestionFile) throws -> CommandResult {
    let report = try writing(to: output) { write in
      try asked.read { db in
        var exporter = PostgresExporter(db, asked.schema.schema, write)
        return try exporter.write()
      }
    }
    for line in report.findings.lines { Output.writeError("strata: \(line)\n") }
    return CommandResult(output.map { [report.line(path: $0)] } ?? [])
  }

  private func export(
    _ exporter: Exporter, _ asked: QuestionFile, _ invalid: InvalidValues, to path: String?
  ) throws -> Int {
    do {
      return try writing(to: path) { write in
        try asked.read { db in
          try exporter.write(db, asked.schema, noting: invalid) { try write(Array($0.utf8)) }
        }
      }
    } catch let failure as RequestFailure {
      guard let condition else { throw CommandFailure(.usage, failure.message) }
      throw CommandFailure(failure, in: condition, conditionColumn: 1)
    }
  }

  /// Calls a closure with the function that writes to a new file, or to the standard output.
  private func writing<Result>(
    to path: String?, _ export: (@escaping ([UInt8]) throws -> Void) throws -> Result
  ) throws -> Result {
    if let path { try OutputFile.require(path) }
    let file = try path.map { try NewTextFile($0) }
    let result = try export { bytes in
      try Interruption.check()
      if let file { try file.write(bytes) } else { try CommandResult.write(bytes) }
    }
    try file?.finish()
    return result
  }
}

extension ObjectFormat: ExpressibleByArgument {}
