package import Foundation

/// The files of `StrataRealmFileTests/Files`, which Realm wrote.
package enum RealFile {
  package static let plain =
    [
      "all-types", "compacted", "empty-schema", "evolved", "fragmented", "fragmented-odd",
      "integers", "links", "many", "mixed", "never-written", "no-objects", "older-10", "older-22",
      "primary-keys", "streaming", "strings", "tombstones", "unversioned",
    ] + upgraded

  /// Files of older formats that a newer version of Realm opened for writing, which made format 24
  /// of them in place.
  package static let upgraded = [
    "upgraded-10", "upgraded-10-used", "upgraded-20", "upgraded-20-swift",
    "upgraded-20-tombstones", "upgraded-20-used", "upgraded-22", "upgraded-22-used", "upgraded-23",
    "upgraded-23-used", "upgraded-9", "upgraded-studio",
  ]

  package static let encrypted = ["encrypted", "encrypted-streaming"]

  package static func url(_ name: String, _ kind: String = "realm") -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("StrataRealmFileTests/Files/\(name).\(kind)")
  }

  package static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url(name)))
  }
}
