import Foundation
import StrataRealmFile

/// The files of `Files`, which Realm wrote.
enum RealFile {
  static let plain = [
    "all-types", "compacted", "empty-schema", "evolved", "fragmented", "fragmented-odd",
    "integers", "links", "many", "mixed", "never-written", "no-objects", "older-10", "older-22",
    "primary-keys", "streaming", "strings", "tombstones", "unversioned",
  ]

  static let encrypted = ["encrypted", "encrypted-streaming"]

  static func url(_ name: String, _ kind: String = "realm") -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Files/\(name).\(kind)")
  }

  static func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(name))) }

  static func json(_ name: String) throws -> JSONTree {
    try JSONTree(parsing: [UInt8](Data(contentsOf: url(name, "json"))))
  }
}
