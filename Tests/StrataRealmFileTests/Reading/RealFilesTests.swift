import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

@Suite("Real files")
struct RealFilesTests {
  @Test(arguments: RealFile.plain)
  func `Each value is what realm-core says`(name: String) throws {
    let file = try RealmFile(RealFile.url(name))
    var comparison = Comparison(
      file, try RealFile.json(name), isUpgraded: name.hasPrefix("older"))
    try comparison.run()
    expectTrue(comparison.differences.prefix(10).isEmpty, "\(comparison.differences.prefix(10))")
    let isEmpty = ["empty-schema", "never-written", "no-objects"].contains(name)
    expectEqual((comparison.values == 0), isEmpty)
  }

  /// Formats differ in lists of links and in dictionaries; the layouts of arrays are the same.
  @Test(arguments: [
    (11, ["integers", "strings", "compacted", "primary-keys"]),
    (20, ["integers", "strings", "compacted", "primary-keys"]),
    (21, ["integers", "strings", "fragmented", "primary-keys"]),
    (22, ["integers", "strings", "fragmented", "primary-keys"]),
    (23, ["all-types", "links", "mixed", "many", "tombstones"]),
  ])
  func `Formats between those of the real files are read`(format: Int, names: [String]) throws {
    for name in names {
      var bytes = try RealFile.bytes(name)
      bytes[20] = UInt8(format)
      bytes[21] = UInt8(format)
      let file = try RealmFile(bytes: bytes)
      expectEqual(file.fileFormat, format)
      var comparison = Comparison(file, try RealFile.json(name))
      try comparison.run()
      expectEqual(comparison.differences, ["fileFormat: \(format), not 24"])
    }
  }

  @Test(arguments: RealFile.plain)
  func `Bytes in memory are the same file`(name: String) throws {
    let file = try RealmFile(bytes: RealFile.bytes(name))
    var comparison = Comparison(
      file, try RealFile.json(name), isUpgraded: name.hasPrefix("older"))
    try comparison.run()
    expectTrue(comparison.differences.prefix(10).isEmpty)
  }
}
