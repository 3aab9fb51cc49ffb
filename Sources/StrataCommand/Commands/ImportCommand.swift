import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct ImportCommand: AsyncFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Adds objects from CSV or JSON to a class.",
    discussion: """
      Columns are found by the names of properties, whatever their case; '--map' names others. Links are the primary key \
      of the other object, or its identity where its class has none. All of it is one transaction. A row with a mistake \
      is left out, and said; the exit status is 1 then.

      Examples:
        strata import people.sqlite people.csv --class Person --dry-run
        strata import people.sqlite people.csv --class Person --map "Full name=fullName" --map "Remark="
        strata import people.sqlite people.ndjson --class Person --update --backup
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(
    help: "A file with CSV, an array of JSON, or an object of JSON in each line.",
    completion: .file())
  var input: String
  @Option(name: .customLong("class"), help: ArgumentHelp("The class.", valueName: "name"))
  var className: String
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The property for a column; nothing behind '=' leaves the column out.",
      valueName: "column=property"))
  var mappings: [String] = []
  @Option(help: "What the input is; without it, its first character tells.")
  var format: ImportFormat?
  @Option(
    name: .customLong("nil"), parsing: .unconditional,
    help: ArgumentHelp(
      "What CSV has for nil; without it, a field without anything.", valueName: "text"))
  var nilText = ""
  @Flag(help: "Change the object that has the same primary key already.") var update = false
  @Flag(help: "Do everything, say what would become of it, and take it back.") var dryRun = false
  @Flag(help: "Copy the file before.") var backup = false
  @Flag(help: "Print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var isQuiet: Bool { quiet }
  var paths: [String] { [file, input] }

  func validate() throws {
    for mapping in mappings where !mapping.contains("=") {
      throw ValidationError(
        "'--map \(PlainText.of(mapping))' has no '='. Write it as '--map \"column=property\"'.")
    }
  }

  func perform() async throws -> CommandResult {
    // Before SQLite opens anything: the input could be the database itself.
    let bytes = try Self.bytes(of: input)
    let target = try InputFile(file, keyFile: key.keyFile)
    _ = try target.inspection()
    let format = format ?? ImportFormat(start: bytes)
    var wish = ImportWish(className, format)
    wish.mapping = mapping
    wish.nilText = nilText
    wish.updates = update
    wish.isDry = dryRun
    var configuration = Realm.Configuration(fileURL: target.url)
    configuration.encryptionKey = target.databaseKey
    configuration.dynamicClasses = .all
    let editor = FileEditor(configuration, makesBackup: backup)
    let summary = ImportSummary(
      file: file, input: input, className: className, isDry: dryRun, hasLines: format != .json,
      report: try await report(of: editor, bytes, wish))
    let name = await editor.state.backup
    guard !output.json else { return CommandResult(JSONValue(summary), summary.status) }
    return CommandResult(
      (name.map { ["copied before: \(PlainText.of($0))"] } ?? []) + summary.lines, summary.status)
  }

  private func report(
    of editor: FileEditor, _ bytes: [UInt8], _ wish: ImportWish
  ) async throws -> ImportReport {
    do {
      let report = try await editor.importFile(bytes, wish)
      await editor.close()
      return report
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

  private static func bytes(of path: String) throws(CommandFailure) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CommandFailure(
        .noInput, path: path, "The file can't be read",
        repair: "Check the path and its permissions.")
    }
  }
}

extension ImportFormat: ExpressibleByArgument {}

extension ImportFormat {
  /// The format of a text by what it begins with: an array, an object, or else the names of
  /// columns.
  init(start bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    self =
      switch text.first(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
      case UInt8(ascii: "["): .json
      case UInt8(ascii: "{"): .ndjson
      default: .csv
      }
  }
}

extension CommandFailure {
  /// The reason why nothing was imported: a mistake in the input, or the file.
  init(_ failure: RequestFailure, importing input: String, into file: String) {
    let status: CommandStatus =
      switch failure.status {
      case .notFound, .badRequest: .usage
      case .insufficientStorage: .inputOutput
      case .conflict, .unavailable: .temporary
      default: .data
      }
    // There is no page in a terminal.
    let message = failure.message.replacing(
      "Load the page again.", with: "'strata schema' shows what the file has.")
    let path = failure.status == .unprocessable ? input : file
    self.init(status, "'\(PlainText.of(path))': \(message)")
  }
}
