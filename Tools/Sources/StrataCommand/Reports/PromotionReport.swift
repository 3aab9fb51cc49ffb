import Foundation
import StrataSchema
import StrataStorage
import StrataStudio

/// The report of a promotion.
struct PromotionReport: Hashable {
  var folder: String
  var file: String
  /// The name of the promoted version.
  var name: String
  /// The schema version.
  var version: UInt64
  /// The size of the file in bytes.
  var size: Int
  /// The time at which the former primary sent the newest transaction of the file; nil if unknown.
  var sentAt: Date?
  /// The last time at which nothing newer was known; nil if unknown.
  var checkedAt: Date?
  /// The number of transactions that the follower knows, and the file lacks.
  var missing: UInt64
  /// The mark of the file's origin.
  var origin: Int64

  var lines: [String] {
    var lines = [
      "Promoted \(PlainText.of(folder)) to \(PlainText.of(file)): version \(version), "
        + Figures.bytes(size)
    ]
    if let sentAt { lines.append("Its newest transaction was sent on \(Figures.time(sentAt))") }
    lines.append(
      checkedAt.map { "Lost: whatever the former primary committed after \(Figures.time($0))" }
        ?? "Lost: whatever the former primary committed after that version")
    if missing > 0 {
      let count = Figures.count(Int(clamping: missing), "transaction")
      lines.append("Lost by '--force': \(count) that the follower knows")
    }
    return lines
  }
}

extension JSONValue {
  init(_ report: PromotionReport) {
    func time(_ date: Date?) -> JSONValue { .optional(date) { .text(Figures.iso($0)) } }
    self = [
      "replica": .text(report.folder),
      "file": .text(report.file),
      "version": .text(report.name),
      "schemaVersion": .unsigned(report.version),
      "bytes": .int(report.size),
      "sentAt": time(report.sentAt),
      "checkedAt": time(report.checkedAt),
      "missingTransactions": .unsigned(report.missing),
      "origin": .text(HistoryToken.text(ofMark: report.origin)),
    ]
  }
}
