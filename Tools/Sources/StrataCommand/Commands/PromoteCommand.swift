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

  var isQuiet: Bool { quiet }
  var paths: [String] { [folder, target] }

  func perform() throws -> CommandResult {
    let place = ReplicaFolder(URL(fileURLWithPath: folder, isDirectory: true))
    let databaseKey = try key.keyFile.map { FileKey(try EncryptionKeyFile.read($0)) }
    if databaseKey != nil { try EncryptionKeyFile.requireEncryption(of: target) }
    try OutputFile.require(target)
    // Locking makes a folder where none is.
    guard try place.currentName() != nil else {
      throw CommandFailure(
        .noInput, path: folder, "There is no version in this replica",
        repair: "Let 'strata follow' publish one, or correct the path.")
    }
    Interruption.listen()
    let lock = try FolderLock(place, shown: folder)
    defer { withExtendedLifetime(lock) {} }
    let newest = try place.newest()
    let check = PromotionCheck(
      version: try requireName(newest), state: place.state(), known: try place.promotion(),
      promotions: try place.promotions(before: newest.url, databaseKey))
    if let obstacle = check.obstacles.first, !force { throw refusal(obstacle, check) }
    let promotion = try promote(newest, of: place, databaseKey)
    let file = try InputFile(target, keyFile: key.keyFile)
    let report = PromotionReport(
      folder: folder, file: target, name: newest.name,
      version: try file.inspection().schemaVersion ?? 0, size: file.size,
      sentAt: check.known(\.sentAt), checkedAt: check.known(\.checkedAt),
      missing: check.missingTransactions, origin: promotion.mark)
    return output.json ? CommandResult(JSONValue(report)) : CommandResult(report.lines)
  }

  private func requireName(_ version: PublishedFile) throws -> PublicationName {
    guard let name = PublicationName(version.name) else {
      throw CommandFailure(
        .data, path: folder, "'\(PlainText.of(version.name))' is no name of a version",
        repair: "Let 'strata follow' publish the next one.")
    }
    return name
  }

  private func refusal(
    _ obstacle: PromotionCheck.Obstacle, _ check: PromotionCheck
  ) -> CommandFailure {
    switch obstacle {
    case .behind(let count):
      CommandFailure(
        .temporary, path: folder,
        "The follower knows of \(Figures.count(Int(clamping: count), "transaction")) that the newest version lacks",
        repair: "Let 'strata follow' catch up, or lose them with '--force'.")
    case .isUnknown:
      CommandFailure(
        .temporary, path: folder, "The follower doesn't know the newest version",
        repair: "Let 'strata follow' publish its source, or promote that version with '--force'.")
    case .isPromoted(let known) where known.file.map(Self.isGone) ?? false:
      CommandFailure(
        .cannotCreate, path: folder,
        "The replica was promoted to '\(PlainText.of(known.file ?? ""))' on \(Figures.time(known.date)), "
          + "which isn't there",
        repair: "If it was never used, promote the replica again with '--force'.")
    case .isPromoted(let known):
      CommandFailure(
        .cannotCreate, path: folder,
        known.file.map {
          "The replica was promoted to '\(PlainText.of($0))' on \(Figures.time(known.date)) already"
        } ?? "The newest version is of a primary that another one has replaced",
        repair:
          "Use that file, or promote this replica as well with '--force': two primaries lose data.")
    }
  }

  private static func isGone(_ file: String) -> Bool {
    !FileManager.default.fileExists(atPath: file)
  }

  private func promote(
    _ newest: PublishedFile, of place: ReplicaFolder, _ key: FileKey?
  ) throws -> PromotionRecord {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let promotion = try place.promote(
      newest, to: URL(fileURLWithPath: target), key, Interruption.cancellation
    ) { fraction in
      bar.show(ProgressLine(title: "Copying", fraction: fraction))
    }
    guard let promotion else { throw OutputFile.exists(target) }
    return promotion
  }
}
