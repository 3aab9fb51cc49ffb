import Strata
import StrataStudio

/// The report of `strata check --as`: the use that an older program can make of a file.
struct OlderProgramReport {
  let path: String
  let program: MigrationForecast.OlderProgram

  /// Decides for the programs of a version.
  ///
  /// - Parameter version: A version that the file had, or the path of another file.
  /// - Throws: ``CommandFailure`` for a version that isn't recorded, and the errors of both files.
  init(_ version: String, _ input: InputFile) throws {
    let older =
      try UInt64(version).map(input.schemaDocument(at:)) ?? InputFile(version).schemaDocument()
    guard let number = older.version else {
      throw CommandFailure(
        .data, path: version, "The file has no schema version", repair: "Give a file that has one.")
    }
    path = input.path
    program = try Realm.use(of: input.url, input.databaseKey, by: older.schema, version: number)
  }

  var status: CommandStatus {
    program.use == .writing && program.refusedAdditions.isEmpty ? .success : .found
  }

  var lines: [String] {
    program.description.split(separator: "\n").map { PlainText.of(String($0)) }
  }
}

extension JSONValue {
  init(_ report: OlderProgramReport) {
    let program = report.program
    let use =
      switch program.use {
      case .writing: "write"
      case .reading: "read"
      case .nothing: "nothing"
      }
    self = [
      "file": .text(report.path),
      "version": .int(Int64(clamping: program.version)),
      "use": .text(use),
      "reasons": .texts(program.reasons),
      "refusedAdditions": .array(
        program.refusedAdditions.sorted { $0.key < $1.key }.map { className, reasons in
          ["class": .text(className), "reasons": .texts(reasons)]
        }),
    ]
  }
}
