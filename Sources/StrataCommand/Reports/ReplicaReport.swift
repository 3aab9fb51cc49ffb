import Foundation
import StrataStorage
import StrataStudio

/// The report of `strata info` of the folder of a replica.
struct ReplicaReport: Hashable {
  var folder: String
  var name: String
  var publishedAt: Date
  /// How many versions are there.
  var count: Int
  /// What the follower says; nil for a folder that is written by other means.
  var follower: FollowerState?
  /// What is in the newest version.
  var newest: InfoReport

  /// What the follower says of the newest version.
  private var known: FollowerState? { follower?.position == name ? follower : nil }

  /// - Parameter now: From which on the lag is counted.
  func lines(at now: Date = Date()) -> [String] {
    let lag = known?.checkedAt.map { max(0, now.timeIntervalSince($0)) }
    let facts = FactList([
      ("replica", folder),
      ("versions kept", Figures.count(count)),
      ("newest", name),
      ("published", Figures.time(publishedAt)),
      ("source", follower?.source),
      ("sent", known?.sentAt.map { Figures.time($0) }),
      ("checked", known?.checkedAt.map { Figures.time($0) }),
      ("behind", lag.map { "at most \(Figures.duration(.seconds($0)))" }),
      ("problem", follower?.problem),
    ])
    return facts.lines + [""] + newest.lines
  }
}

extension JSONValue {
  init(_ report: ReplicaReport) {
    let follower = report.follower
    let known = follower?.position == report.name ? follower : nil
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
      "newest": JSONValue(report.newest),
    ]
  }
}
