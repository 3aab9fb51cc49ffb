import Foundation
import StrataStorage
import StrataStudio

/// The report of `strata info` for the folder of a replica.
struct ReplicaReport {
  var folder: String
  var name: String
  var publishedAt: Date
  /// The number of versions.
  var count: Int
  /// The state that the follower wrote; nil if no follower writes to the folder.
  var follower: FollowerState?
  /// The newest promotion of which the folder knows; nil for none.
  var promotion: PromotionRecord?
  /// The contents of the newest version.
  var newest: InfoReport

  /// The follower's state, if it describes the newest version.
  fileprivate var known: FollowerState? { follower?.position == name ? follower : nil }

  /// - Parameter now: The time at which the lag is measured.
  func lines(at now: Date = Date()) -> [String] {
    let lag = known?.checkedAt.map { max(0, now.timeIntervalSince($0)) }
    let facts = FactList.lines([
      ("replica", folder),
      ("versions kept", Figures.count(count)),
      ("newest", name),
      ("published", Figures.time(publishedAt)),
      ("source", follower?.source),
      ("sent", known?.sentAt.map { Figures.time($0) }),
      ("checked", known?.checkedAt.map { Figures.time($0) }),
      ("behind", lag.map { "at most \(Figures.duration(.seconds($0)))" }),
      ("problem", follower?.problem),
      (
        "promoted", promotion.map { "\(Figures.time($0.date))\($0.file.map { " to \($0)" } ?? "")" }
      ),
    ])
    return facts + [""] + newest.lines
  }
}

extension JSONValue {
  init(_ report: ReplicaReport) {
    let follower = report.follower
    let known = report.known
    func time(_ date: Date?) -> JSONValue { .optional(date) { .text(Figures.iso($0)) } }
    self = [
      "replica": .text(report.folder),
      "version": .text(report.name),
      "publishedAt": time(report.publishedAt),
      "versions": .int(report.count),
      "source": .optional(follower?.source) { .text($0) },
      "newestPosition": .optional(follower?.newestPosition) { .text($0) },
      "sentAt": time(known?.sentAt),
      "checkedAt": time(known?.checkedAt),
      "problem": .optional(follower?.problem) { .text($0) },
      "promotedAt": time(report.promotion?.date),
      "newest": JSONValue(report.newest),
    ]
  }
}
