import ArgumentParser
import Foundation
import Strata
import StrataRealmFileEncryption
import StrataStudio

struct ConvertCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Makes a file of Strata of a file of Realm.",
    discussion: """
      The new file has the classes and the schema version of the old one. A program opens it as any file of an older \
      version: its migration block or plan brings it to the present. All objects are counted in both files. The old file \
      is never changed, and must not be in use.

      Data that a file of Strata can't store is listed, and nothing is written, unless an option says how to change it.

      Examples:
        strata convert default.realm people.sqlite
        strata convert default.realm people.sqlite --dry-run
        strata convert default.realm people.sqlite --key-file key.bin --new-key-file key.bin
        strata convert default.realm people.sqlite --nan nil --dates clamp
      """)

  @Argument(help: "A file of RealmSwift 5 to 20.", completion: .file()) var file: String
  @Argument(help: "The new file, which must not exist yet.", completion: .file()) var target: String
  @Flag(help: "Read everything, report the result, and write nothing.")
  var dryRun = false
  @Flag(help: "Show no progress, and print nothing.") var quiet = false
  @OptionGroup(title: "Data that a file of Strata can't store") var conversion: ConversionOptions
  @OptionGroup var key: KeyOptions
  @Option(
    help: ArgumentHelp(
      "A file with the key of the new file, which is not encrypted without it.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file, target] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    try input.requireRealm()
    let cipher = try input.cipher()
    let newKey = try EncryptionKeyFile.read(newKeyFile, encrypting: target)
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let title = dryRun ? "Reading" : "Converting"
    let show: @Sendable (ConversionProgress) -> Void = { progress in
      bar.show(title, progress.fractionCompleted, detail: progress.className ?? "indexes")
    }
    var report: ConvertReport
    if dryRun {
      report = ConvertReport(
        source: file, target: target,
        try Realm.conversionForecast(
          realmFile: input.url, encryptionKey: cipher, choices: conversion.choices,
          progress: show))
    } else {
      try OutputFile.require(target)
      report = ConvertReport(
        source: file, target: target, try convert(input, cipher, newKey, show))
    }
    report.losesEncryption = cipher != nil && newKey == nil
    return output.result(JSONValue(report), report.lines, report.status)
  }

  /// Converts the file. Control-C cancels the conversion.
  private func convert(
    _ input: InputFile, _ cipher: RealmFileKey?, _ newKey: Data?,
    _ show: @escaping @Sendable (ConversionProgress) -> Void
  ) throws -> ConversionReport {
    Interruption.listen()
    let conversion = RealmFileConversion.automatically(
      from: input.url, encryptionKey: cipher, choices: conversion.choices, progress: show)
    do {
      return try Realm.convert(
        conversion, toFile: URL(fileURLWithPath: target), newKey, Interruption.cancellation)
    } catch let error as Realm.Error {
      guard let refusal = error.underlyingError as? ConversionRefusal else { throw error }
      throw Self.failure(file, refusal)
    }
  }

  /// The failure for a refused conversion; names the options that repair each finding.
  private static func failure(_ path: String, _ refusal: ConversionRefusal) -> CommandFailure {
    let lines = FindingLines.lines(refusal.findings, repairs: true)
    return CommandFailure(
      .data,
      "'\(PlainText.of(path))': The file has data that a file of Strata can't store. Nothing was "
        + "written.\n"
        + lines.joined(separator: "\n"))
  }
}
