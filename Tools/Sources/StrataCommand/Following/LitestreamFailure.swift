import Foundation

/// The reason why Litestream couldn't read a source, and what the user can do.
struct LitestreamFailure: Hashable {
  private let reason: String
  private let repair: String

  /// Two sentences; the first one begins in the middle.
  var text: String { "\(reason)\(reason.hasSuffix(".") ? "" : ".") \(repair)" }

  /// - Parameter line: The last line that it printed, which may be none.
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

  /// It has to repeat requests without an end, and doesn't say why: the address refuses it, answers
  /// with an error of the server, or has a certificate that isn't trusted.
  static func noAnswer(for time: Duration) -> Self {
    Self(
      reason: "no answer for \(Figures.duration(time))",
      repair: "Check the address of the source, the network, and the server's certificate.")
  }

  /// Its process brings nothing, though the source has more and answers questions.
  static func standstill(for time: Duration) -> Self {
    Self(
      reason: "Litestream has brought nothing for \(Figures.duration(time)), and was started anew",
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

  /// Whether a line says how far it is, and not why it ended.
  private static func isProgress(_ line: String) -> Bool {
    ["level=INFO", "level=DEBUG"].contains { line.contains(" \($0) ") }
  }

  /// The part that is the same each time, so that a reason isn't told again.
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
