import StrataRealmFile
import Testing

@Suite("Real files")
struct RealFilesTests {
  @Test(arguments: RealFile.plain)
  func `Each value is what realm-core says`(name: String) throws {
    let file = try RealmFile(RealFile.url(name))
    var comparison = Comparison(
      file, try RealFile.json(name), isUpgraded: name.hasPrefix("older"))
    try comparison.run()
    #expect(comparison.differences.prefix(10).isEmpty, "\(comparison.differences.prefix(10))")
    let isEmpty = ["empty-schema", "never-written", "no-objects"].contains(name)
    #expect((comparison.values == 0) == isEmpty)
  }

  @Test(arguments: RealFile.plain)
  func `Bytes in memory are the same file`(name: String) throws {
    let file = try RealmFile(bytes: RealFile.bytes(name))
    var comparison = Comparison(
      file, try RealFile.json(name), isUpgraded: name.hasPrefix("older"))
    try comparison.run()
    #expect(comparison.differences.prefix(10).isEmpty)
  }
}
