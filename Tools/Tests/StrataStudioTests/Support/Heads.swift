@testable import StrataStudio

extension RequestHead {
  /// The head that a reader makes of a text whose lines end as they should.
  static func reading(
    _ lines: [String], limits: StudioLimits = StudioLimits()
  ) throws -> RequestHead {
    var reader = RequestHeadReader(limits)
    let bytes = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    guard let (head, rest) = try reader.read(bytes[...]), rest.isEmpty else {
      throw Incomplete(lines: lines)
    }
    return head
  }

  struct Incomplete: Error { var lines: [String] }
}
