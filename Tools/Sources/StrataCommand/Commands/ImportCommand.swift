import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct ImportCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Adds objects from CSV or JSON to a class.",
    discussion: """
      Columns are found by the names of properties, whatever their case; '--map' names others. Links are the primary key \
      of the other object, or its identity where its class has none; it may come later in the input. A folder that \
      'export' has written is one import, without '--class'. All of it is one transaction. A row with a mistake is \
      left out, and said; the exit status is 1 then.

      Examples:
        strata import people.sqlite people.csv --class Person --dry-run
        strata import people.sqlite people.csv --class Person --map "Full name=fullName" --map "Remark="
        strata import people.sqlite people.ndjson --class Person --update --backup
        strata import new.sqlite people/
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(
    help: "A file with CSV, an array of JSON, or an object of JSON in each line; or a folder.",
    completion: .file())
  var input: String
  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("The class; of a folder, each file has its own.", valueName: "name"))
  var className: String?
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The property for a column. Nothing after '=' leaves the column out.",
      valueName: "column=property"))
  var mappings: [String] = []
  @Option(help: "The format of the input. By default, its first character decides.")
  var format: ObjectFormat?
  @Option(
    name: .customLong("nil"), parsing: .unconditional,
    help: ArgumentHelp(
      "The text for nil in CSV. By default, an empty field.", valueName: "text"))
  var nilText = ""
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The separator of CSV, such as ';' or 'tab'. By default, the one that fits the names.",
      valueName: "character"))
  var separator: String?
  @Flag(help: "Change the object that has the same primary key already.") var update = false
  @Flag(help: "Import everything, report the result, and roll it back.") var dryRun = false
  @Flag(help: "Copy the file before.") var backup = false
  @Flag(help: "Print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file, input] }

  func validate() throws {
    for mapping in mappings where !mapping.contains("=") {
      throw ValidationError(
        "'--map \(PlainText.of(mapping))' has no '='. Write it as '--map \"column=property\"'.")
    }
    if let separator, separator != "tab" {
      guard separator.utf8.count == 1, let byte = separator.utf8.first,
        byte != 0x22, byte != 0x0A, byte != 0x0D
      else {
        throw ValidationError("'--separator' is one character of ASCII, or 'tab'.")
      }
    }
    guard className != nil || mappings.isEmpty else {
      throw ValidationError(
        "'--map' is for the columns of one file: give the class of it with '--class'.")
    }
  }

  func perform() async throws -> CommandResult {
    try checkInput()
    let target = try InputFile(file, keyFile: key.keyFile)
    let schema = try target.inspection().schema
    let inputs = try ImportFolder.inputs(input, className, schema)
    var wish = ImportWish(className ?? "", format)
    wish.mapping = mapping
    wish.nilText = nilText
    wish.separator = separator == "tab" ? 0x09 : separator?.utf8.first
    wish.updates = update
    wish.isDry = dryRun
    wish.willBegin = { Interruption.listen() }
    wish.cancellation = Interruption.cancellation
    let editor = FileEditor(target.configuration(readOnly: false), makesBackup: backup)
    let summary = ImportSummary(
      file: file, isDry: dryRun, inputs: inputs, isFolder: className == nil,
      reports: try await reports(of: editor, inputs, wish))
    let name = await editor.state.backup
    return output.result(
      JSONValue(summary),
      (name.map { ["copied before: \(PlainText.of($0))"] } ?? []) + summary.lines, summary.status)
  }

  private func reports(
    of editor: FileEditor, _ inputs: [ImportFolder.Input], _ wish: ImportWish
  ) async throws -> [ImportReport] {
    do {
      let parts = inputs.map { ImportPart(.file(path: $0.path), into: $0.className) }
      let reports = try await editor.importFiles(parts, wish)
      await editor.close()
      if let report = reports.first, inputs.count == 1, report.mapped.isEmpty,
        let problem = report.problems.first, !report.columns.isEmpty
      {
        throw RequestFailure(.unprocessable, "invalid", problem.message)
      }
      return reports
    } catch let failure as RequestFailure {
      throw CommandFailure(failure, importing: input, into: file)
    }
  }

  private var mapping: [String: String?] {
    var result: [String: String?] = [:]
    for mapping in mappings {
      let parts = mapping.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let property = String(parts.last ?? "")
      result.updateValue(property.isEmpty ? nil : property, forKey: String(parts[0]))
    }
    return result
  }

  /// Checks the input before SQLite opens the file. If the input were a file that SQLite has open,
  /// closing it would release SQLite's POSIX locks.
  private func checkInput() throws(CommandFailure) {
    guard access(input, R_OK) == 0 else {
      throw CommandFailure(
        .noInput, path: input, "The file can't be read",
        repair: "Check the path and its permissions.")
    }
    let target = StoreFile.behindLinks(URL(fileURLWithPath: file))
    for part in StoreFile.companions(of: target) {
      guard let number = FileNumber(part.path), number == FileNumber(input) else { continue }
      throw CommandFailure(
        .data, path: input, "It is a part of the file that gets the objects",
        repair: "Give a file with CSV or JSON.")
    }
  }
}

extension CommandFailure {
  /// The failure of an import. The status says whether the input or the file is at fault.
  init(_ failure: RequestFailure, importing input: String, into file: String) {
    let status: CommandStatus =
      switch failure.status {
      case .unavailable where failure.code == "input": .noInput
      case .notFound, .badRequest: .usage
      case .insufficientStorage: .inputOutput
      case .conflict, .unavailable: .temporary
      default: .data
      }
    // The message was written for the page; a terminal has none to reload.
    let message = failure.message.replacing(
      "Load the page again.", with: "'strata schema' shows what the file has.")
    let isOfInput = failure.status == .unprocessable || failure.code == "input"
    let path = isOfInput ? input : file
    self.init(status, "'\(PlainText.of(path))': \(message)")
  }
}
