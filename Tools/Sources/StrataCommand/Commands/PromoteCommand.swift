import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct PromoteCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Makes a writable file of a replica, for a primary that is lost.",
    discussion: """
      The file is a copy of the newest version in the folder, with an origin of its own: consumers of its history learn \
      of the change, and followers refuse what the former primary sends from then on. Nothing is promoted if the \
      follower knows of a newer transaction, or if the folder was promoted before. First stop the former primary if it \
      runs, and the follower of this folder.

      Examples:
        strata promote /data/orders.replica orders.sqlite
        strata promote /data/orders.replica orders.sqlite --force
      """)

  @Argument(help: "The folder of the replica.", completion: .directory) var folder: String
  @Argument(help: "The path of the new file, which must not exist.", completion: .file())
  var target: String
  @Flag(help: "Promote in spite of missing transactions, or of a promotion before.") var force =
    false
  @Flag(help: "Show no progress, and print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [folder, target] }

  func perform() throws -> CommandResult {
    let place = ReplicaFolder(URL(fileURLWithPath: folder, isDirectory: true))
    let databaseKey = try EncryptionKeyFile.read(key.keyFile, encrypting: target)
      .map { FileKey($0) }
    try OutputFile.require(target)
    Interruption.listen()
    let lock = try FolderLock(place, shown: folder)
    defer { withExtendedLifetime(lock) {} }
    guard let name = try place.currentName() else {
      lock.removeFolder()
      throw CommandFailure(
        .noInput, path: folder, "There is no version in this replica",
        repair: "Let 'strata follow' publish one, or correct the path.")
    }
    let newest = try place.published(name)
    let check = PromotionCheck(
      version: name, state: place.state(), known: try place.promotion(),
      promotions: try place.promotions(before: newest.url, databaseKey))
    if let obstacle = check.obstacles.first, !force { throw refusal(obstacle) }
    let promotion = try promote(newest, of: place, databaseKey)
    let file = try InputFile(target, keyFile: key.keyFile)
    let report = PromotionReport(
      folder: folder, file: target, name: newest.name,
      version: try file.inspection().schemaVersion ?? 0, size: file.size,
      sentAt: check.known(\.sentAt), checkedAt: check.known(\.checkedAt),
      missing: check.missingTransactions, origin: promotion.mark)
    return output.result(JSONValue(report), report.lines)
  }

  private func refusal(_ obstacle: PromotionCheck.Obstacle) -> CommandFailure {
    switch obstacle {
    case .behind(let count):
      CommandFailure(
        .temporary, path: folder,
        "The follower knows of \(Figures.count(Int(clamping: count), "transaction")) that the newest version lacks",
        repair: "Wait until 'strata follow' has caught up, or lose them with '--force'.")
    case .isUnknown:
      CommandFailure(
        .temporary, path: folder, "The follower doesn't know the newest version",
        repair: "Publish the source with 'strata follow', or promote that version with '--force'.")
    case .isPromoted(let known): refusal(known)
    }
  }

  private func refusal(_ known: PromotionRecord) -> CommandFailure {
    let both = "promote this replica as well with '--force': two primaries lose data."
    guard let file = known.file else {
      return CommandFailure(
        .cannotCreate, path: folder,
        "The newest version is of a primary that another one has replaced",
        repair: "Use that file, or \(both)")
    }
    let promoted =
      "The replica was promoted to '\(PlainText.of(file))' on \(Figures.time(known.date))"
    return FileManager.default.fileExists(atPath: file)
      ? CommandFailure(
        .cannotCreate, path: folder, "\(promoted) already", repair: "Use that file, or \(both)")
      : CommandFailure(
        .cannotCreate, path: folder, "\(promoted), which isn't there",
        repair: "If it was never used, promote the replica again with '--force'.")
  }

  private func promote(
    _ newest: PublishedFile, of place: ReplicaFolder, _ key: FileKey?
  ) throws -> PromotionRecord {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let promotion = try place.promote(
      newest, to: URL(fileURLWithPath: target), key, Interruption.cancellation
    ) { bar.show("Copying", $0) }
    guard let promotion else { throw OutputFile.exists(target) }
    return promotion
  }
}
