import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct InfoCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract:
      "Describes a file, or the folder of a replica: version, classes, number of objects, size.",
    discussion: """
      Examples:
        strata info people.sqlite
        strata info default.realm --key-file key.bin
        strata info people.replica
        strata info people.sqlite --json | jq '.classes[] | select(.objects > 0) | .name'
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Flag(help: "Don't count the objects, which takes time for each.") var noCount = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    if let name = try newestVersion() {
      let report = try report(name)
      return output.result(JSONValue(report), report.lines())
    }
    let report = try report(InputFile(file, keyFile: key.keyFile))
    return output.result(JSONValue(report), report.lines)
  }

  private var folder: ReplicaFolder { ReplicaFolder(URL(fileURLWithPath: file)) }

  /// The name of the newest version of a replica; nil if the path isn't a folder.
  private func newestVersion() throws -> PublicationName? {
    InputFile.isFolder(file) ? try folder.currentName() : nil
  }

  private func report(_ name: PublicationName) throws -> ReplicaReport {
    let published = try folder.published(name)
    let path = URL(fileURLWithPath: file).appendingPathComponent(name.fileName).relativePath
    return ReplicaReport(
      folder: file, name: "\(name)", publishedAt: published.publishedAt,
      count: try folder.entries().count, follower: folder.state(),
      promotion: try folder.promotion(),
      newest: try report(InputFile(path, keyFile: key.keyFile)))
  }

  private func report(_ input: InputFile) throws -> InfoReport {
    let file = input.path
    guard input.isDatabase else {
      return InfoReport(
        path: file, try input.realmFile(), size: input.size, isEncrypted: input.kind == .other)
    }
    return InfoReport(
      path: file, try input.inspection(countingObjects: !noCount), isCounted: !noCount,
      isEncrypted: input.kind == .encryptedDatabase)
  }
}
