import Foundation
import StrataStudio

/// The report of one publication.
struct FollowedPublication: Hashable {
  var name: String
  var publishedAt: Date
  /// In bytes.
  var size: Int
  var duration: Duration

  var line: String {
    "\(Figures.time(publishedAt))  \(name): \(Figures.bytes(size)) in \(Figures.duration(duration))"
  }
}

extension JSONValue {
  init(_ publication: FollowedPublication) {
    self = [
      "version": .text(publication.name),
      "publishedAt": .text(Figures.iso(publication.publishedAt)),
      "bytes": .int(publication.size),
      "seconds": .number(Figures.seconds(publication.duration)),
    ]
  }
}
