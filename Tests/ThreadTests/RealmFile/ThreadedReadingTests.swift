import Foundation
import RealmFileKit
import StrataRealmFile
import StrataRealmFileEncryption
import TestKit
import Testing

@Suite("Threaded reading")
struct ThreadedReadingTests {
  #if EncryptedRealmFiles
    @Test func `An encrypted file is read by several threads at once`() async throws {
      try await expectEqualReadings(
        RealmFile(RealFile.url("encrypted"), encryptionKey: Data(0..<64)))
    }
  #endif

  @Test func `A file is read by several threads at once`() async throws {
    try await expectEqualReadings(RealmFile(RealFile.url("many")))
  }

  private func expectEqualReadings(_ file: RealmFile) async throws {
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try WholeReading.run(file) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    expectTrue(counts.count == 8 && Set(counts).count == 1)
  }
}
