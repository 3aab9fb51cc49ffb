import Foundation
import RealmFileKit
import StrataRealmFile
import StrataRealmFileEncryption
import Testing

@Suite("Threaded reading")
struct ThreadedReadingTests {
  @Test(arguments: ["many", "encrypted"])
  func `A file is read by several threads at once`(name: String) async throws {
    let file =
      name == "encrypted"
      ? try RealmFile(RealFile.url(name), encryptionKey: Data(0..<64))
      : try RealmFile(RealFile.url(name))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try WholeReading.run(file) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.count == 8 && Set(counts).count == 1)
  }
}
