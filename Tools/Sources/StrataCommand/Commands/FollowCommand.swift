import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct FollowCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Keeps the folder of a replica up to date with what Litestream has sent elsewhere.",
    discussion: """
      Litestream restores a private file in the folder, and keeps it up to date. Each state of it that is whole becomes \
      a version of the replica, which programs open with 'Realm.Configuration(replica:)'. It goes on until Control-C \
      or a signal ends it: then the exit status is 0. What Litestream prints goes to the error output; its credentials \
      come from the environment.

      Examples:
        strata follow s3://bucket/orders /data/orders.replica
        strata follow file:///backups/orders /data/orders.replica --archive 1h:7d
        strata follow s3://bucket/orders /data/orders.replica --once
      """)

  @Argument(help: "What Litestream replicates to: a URL, or a file of its configuration.")
  var source: String
  @Argument(
    help: "The folder of the replica; it is made if it isn't there.", completion: .directory)
  var folder: String
  @Option(help: "How often the source is asked, in seconds, from 0.1 to 3600.")
  var interval: Double = 1
  @Option(help: "How many versions stay, from 2 to 1000.")
  var keep = 2
  @Option(
    help: ArgumentHelp(
      "Keep one version for each period, for as long as it is wanted: '1h:7d', with s, m, h and d.",
      valueName: "every:for"))
  var archive: String?
  @Option(
    help: ArgumentHelp(
      "Publish at most so many megabytes a minute: a large file gets fewer versions.",
      valueName: "megabytes"))
  var budget: Int?
  @Flag(help: "Have SQLite look at each page before it becomes a version.") var check = false
  @Option(help: "How long the first restore, and each question, may take, in seconds.")
  var timeout: Double = 60
  @Option(
    help: ArgumentHelp("The program, if no folder of PATH has it.", valueName: "path"),
    completion: .file())
  var litestream: String?
  @Flag(help: "End when the newest version is there.") var once = false
  @OptionGroup var output: OutputOptions

  var paths: [String] { [folder] }

  func validate() throws {
    guard !source.isEmpty, !source.hasPrefix("-") else {
      throw ValidationError("The source is a URL, or the path of a file.")
    }
    guard !folder.isEmpty else { throw ValidationError("The path of the folder is empty.") }
    guard (0.1...3_600).contains(interval) else {
      throw ValidationError("'--interval' is a number of seconds from 0.1 to 3600.")
    }
    guard (2...1_000).contains(keep) else {
      throw ValidationError("'--keep' is a number from 2 to 1000.")
    }
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("'--timeout' is a number of seconds from 1 to 86400.")
    }
    guard budget.map((1...1_000_000).contains) ?? true else {
      throw ValidationError("'--budget' is a number of megabytes from 1 to 1000000.")
    }
    guard archive == nil || Self.archive(archive) != nil else {
      throw ValidationError(
        "'--archive' is a period, a colon and a longer period, such as '1h:7d'.")
    }
  }

  /// Parses `PERIOD:AGE`. Returns nil if the age is shorter than the period.
  static func archive(_ text: String?) -> PublicationRetention.Archive? {
    guard let parts = text?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2, let period = PeriodText.seconds(parts[0]),
      let age = PeriodText.seconds(parts[1]), period <= age
    else { return nil }
    return .init(period: period, age: age)
  }

  func perform() throws -> CommandResult {
    let program = try LitestreamProgram(litestream)
    let place = ReplicaFolder(URL(fileURLWithPath: folder, isDirectory: true))
    let lock = try FolderLock(place, shown: folder)
    defer { withExtendedLifetime(lock) {} }
    Interruption.listen()
    let settings = FollowSettings(
      source: FollowSource(text: source), folder: place, interval: interval,
      timeout: .seconds(timeout),
      retention: PublicationRetention(newest: keep, archive: Self.archive(archive)), checks: check,
      bytesPerMinute: budget.map { $0 * 1_000_000 }, once: once)
    try Follower(settings, program) { publication in
      let text = output.json ? JSONValue(publication).description : publication.line
      try CommandResult.write(text + "\n")
    }.run()
    return CommandResult([])
  }
}
