import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct ChangesCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Lists the transactions of the history that a file, or a replica, keeps.",
    discussion: """
      A file keeps a history if a program has set 'history' in its configuration. Each transaction begins with its \
      token, behind which '--after' goes on. The exit status is 1 if the history after a token is no longer kept, or \
      the token is of another file, and 65 for a file without a history.

      Examples:
        strata changes orders.sqlite
        strata changes orders.sqlite --after 4710-51c0d2aa91e07f3b --follow
        strata changes orders.sqlite --json --author import | jq .changes
        strata changes orders.sqlite --consumers
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Option(help: "Only the transactions after this one.") var after: String?
  @Option(help: "Only the transactions of this author.") var author: String?
  @Option(help: "So many transactions at most.") var limit: Int?
  @Flag(help: "Go on with what is committed from now on, until Control-C.") var follow = false
  @Flag(help: "List the consumers, and how far they are.") var consumers = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  /// The number of transactions that one query reads.
  private static let batch = 500
  /// The time between two checks for new transactions.
  private static let interval = Duration.milliseconds(200)

  func validate() throws {
    if consumers, after != nil || author != nil || limit != nil || follow {
      throw ValidationError(
        "'--consumers' excludes '--after', '--author', '--limit' and '--follow'.")
    }
    if let limit, limit < 1 { throw ValidationError("'--limit' needs a number above 0.") }
    if let after, HistoryToken(after) == nil {
      throw ValidationError("'\(PlainText.of(after))' is no token of a history.")
    }
  }

  func perform() async throws -> CommandResult {
    Interruption.listen()
    if consumers { return list(try await opened().historyConsumers()) }
    var position = Position(token: after.flatMap(HistoryToken.init), rest: limit ?? .max)
    do {
      while try await print(try await opened(), from: &position) {}
      return CommandResult([])
    } catch let error as Realm.Error
      where [.historyExpired, .historyDiverged].contains(error.code)
    {
      // An invalid token is a result with the status `found`, and no failure of the file.
      Output.writeError("strata: \(CommandFailure(error).naming(paths).message)\n")
      return CommandResult([], .found)
    }
  }

  private func opened() async throws -> Realm {
    let realm = try await Realm.open(configuration: configuration())
    guard try realm.historyToken != nil else {
      throw CommandFailure(
        .data, path: file, "The file keeps no history",
        repair: "Set 'history' in the configuration of the program that writes to it.")
    }
    return realm
  }

  /// Opens the file. The folder of a replica is opened as a replica, which shows its newest
  /// version.
  private func configuration() throws -> Realm.Configuration {
    guard InputFile.isFolder(file) else {
      let input = try InputFile(file, keyFile: key.keyFile)
      try input.requireDatabase()
      return input.configuration(readOnly: true)
    }
    var configuration = Realm.Configuration(replica: .init(folder: URL(fileURLWithPath: file)))
    configuration.encryptionKey = try key.keyFile.map { try EncryptionKeyFile.read($0) }
    configuration.dynamicClasses = .all
    return configuration
  }

  private func list(_ consumers: [HistoryConsumer]) -> CommandResult {
    output.result(
      .array(
        consumers.map { consumer in
          [
            "name": .text(consumer.name), "token": .text(consumer.token.description),
            "updatedAt": .text(Figures.iso(consumer.updatedAt)),
            "behind": .int(consumer.behind),
          ]
        }),
      TextTable(
        columns: [.init("consumer"), .init("token"), .init("since"), .init("behind", .right)],
        rows: consumers.map {
          [
            PlainText.of($0.name), $0.token.description, Figures.time($0.updatedAt),
            Figures.count($0.behind),
          ]
        }
      ).lines)
  }

  /// The last transaction that was read, and the number that may still be printed.
  private struct Position {
    var token: HistoryToken?
    var rest: Int
  }

  /// Prints the transactions after a position.
  ///
  /// - Returns: Whether the replica must be opened again, because its newest version has another
  ///   schema version and can't be shown in the realm.
  private func print(_ realm: Realm, from position: inout Position) async throws -> Bool {
    while position.rest > 0 {
      let transactions = try realm.history(after: position.token, limit: Self.batch)
      for transaction in transactions {
        if Interruption.isInterrupted { break }
        position.token = transaction.id
        if let author, transaction.author != author { continue }
        try CommandResult.write(text(of: transaction))
        position.rest -= 1
        if position.rest == 0 { break }
      }
      if Interruption.isInterrupted {
        // Control-C is the usual way to end `--follow`, and no failure.
        if follow { break }
        throw CancellationError()
      }
      guard transactions.isEmpty else { continue }
      guard follow else { break }
      // A lost file gets no more transactions.
      if let error = realm.lossOfFile { throw error }
      do {
        try await Task.sleep(for: Self.interval)
      } catch {
        break
      }
      if realm.replicaState?.problem?.code == .fail { return true }
    }
    return false
  }

  private func text(of transaction: HistoryTransaction) -> String {
    output.json
      ? JSONValue(transaction).description + "\n"
      : ChangesReport(transaction).lines.joined(separator: "\n") + "\n"
  }
}
