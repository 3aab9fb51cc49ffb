import Foundation

/// The reason why Litestream couldn't read a source, and the repair.
struct LitestreamFailure: Error, Hashable {
  private let reason: String
  private let repair: String

  /// Two sentences. The first one continues a sentence of the caller.
  var text: String { "\(reason)\(reason.hasSuffix(".") ? "" : ".") \(repair)" }

  /// - Parameter line: The last line that Litestream printed; may be empty.
  init(line: String) {
    guard !line.isEmpty, !Self.isProgress(line) else {
      self.init(reason: "Litestream ended without a word", repair: Self.checkProgram)
      return
    }
    let reason = Self.lasting(line)
    self.init(
      reason: reason,
      repair: Self.repairs.first { $0.signs.contains { reason.contains($0) } }?.repair
        ?? "Check the source, and the network.")
  }

  /// The failure without an answer. Litestream retries for ever and doesn't say why: the address
  /// refuses the connection, the server answers with errors, or its certificate isn't trusted.
  static func noAnswer(for time: Duration) -> Self {
    Self(
      reason: "no answer for \(Figures.duration(time))",
      repair: "Check the address of the source, the network, and the server's certificate.")
  }

  /// The failure of a process that receives nothing, although the source has more and answers
  /// questions.
  static func standstill(for time: Duration) -> Self {
    Self(
      reason: "Litestream has brought nothing for \(Figures.duration(time)), and was restarted",
      repair: "Check the network, if this comes again.")
  }

  static let noTransactions = Self(
    reason: "it has no transactions any more",
    repair: "Check that 'litestream replicate' sends to this place, and that the address is right.")

  static let somethingElse = Self(
    reason: "Litestream answers something else than a list of transactions", repair: checkProgram)

  private static let checkProgram = "Check which program '--litestream' or 'PATH' names."

  private init(reason: String, repair: String) {
    (self.reason, self.repair) = (reason, repair)
  }

  /// Whether a line reports progress, and not the reason of the end.
  private static func isProgress(_ line: String) -> Bool {
    ["level=INFO", "level=DEBUG"].contains { line.contains(" \($0) ") }
  }

  /// The constant part of a line, so that the same reason isn't printed again.
  private static func lasting(_ line: String) -> String {
    var text = line[...]
    if text.hasPrefix("Error: ") { text.removeFirst("Error: ".count) }
    return String(text.replacing(#/RequestID: [^,]*, HostID: [^,]*, /#, with: ""))
  }

  private static let repairs: [(signs: [String], repair: String)] = [
    (
      ["StatusCode: 401", "StatusCode: 403", "credentials"],
      "Check Litestream's credentials, which are in the environment, and what they may read."
    ),
    (["StatusCode: 404", "NoSuchBucket"], "Check the name of the bucket."),
    (
      ["no matching backup files"],
      "Check the path of the source, and that 'litestream replicate' sends to it."
    ),
  ]
}
