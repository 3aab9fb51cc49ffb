import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport

/// Conversions of files of Realm with changed bytes: `STRATA_FAULTS=all` runs a hundred times as
/// many.
@Suite("Damaged conversions")
struct DamagedConversionsTests {
  private static let count =
    ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all" ? 20_000 : 200

  private static let choices: Set<ConversionChoice> = [
    .nan(.asNilOrZero), .dates(.clamped), .nestedCollections(.asNil), .invalidText(.repaired),
    .danglingLinks(.asNil), .asymmetricClasses(.leftOut), .bookkeepingClasses(.leftOut),
  ]

  @Test func `A damaged file becomes none, or one without problems`() throws {
    let files = try RealmWrittenFile.all.filter { $0.key == nil }.map {
      try Data(contentsOf: $0.url)
    }
    let folder = try TestFolder()
    let old = folder.url.appendingPathComponent("old.realm")
    let before = ["old.realm"]
    var converted = 0
    for seed in 0..<Self.count {
      var random = SplitMix64(seed: UInt64(seed))
      try Self.damaged(files[seed % files.count], &random).write(to: old)
      do {
        // Without choices every other time, so that the listing of refusals is tried as well.
        let report = try Realm.convert(
          realmFile: old, toFile: folder.file, choices: seed % 4 < 3 ? Self.choices : [])
        converted += 1
        let problems = try Realm.problems(for: Realm.Configuration(fileURL: folder.file))
        expectTrue(problems.isEmpty, "seed \(seed)")
        expectEqual(report.read, report.leftOut + report.written, "seed \(seed)")
        try Realm.deleteFiles(for: Realm.Configuration(fileURL: folder.file))
      } catch let error as Realm.Error {
        expectTrue(
          error.underlyingError != nil && error.message.contains(old.path),
          "seed \(seed): \(error)")
      }
      try expectEqual(
        FileManager.default.contentsOfDirectory(atPath: folder.url.path), before,
        "seed \(seed)")
    }
    print("Of \(Self.count) damaged files \(converted) became files.")
    expectTrue(converted > 0 && converted < Self.count)
  }

  /// Changes some bytes behind the header, few of which lead to nothing.
  private static func damaged(_ bytes: Data, _ random: inout SplitMix64) -> Data {
    var bytes = bytes
    guard bytes.count > 64 else { return bytes }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 24..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default:
        let from = Int.random(in: 24..<bytes.count - 8, using: &random)
        let length = min(8, bytes.count - place)
        bytes.replaceSubrange(place..<place + length, with: Data(bytes[from..<from + length]))
      }
    }
    return bytes
  }
}
