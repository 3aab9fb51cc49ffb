#if EncryptedRealmFiles
  import Foundation
  import RealmFileKit
  import StrataRealmFile
  import StrataRealmFileEncryption
  import TestKit
  import Testing

  @Suite("Encrypted files")
  struct EncryptedFilesTests {
    private static let pageSize = 4096

    private static func key(_ name: String) -> Data {
      Data(name == "encrypted" ? 0..<64 : 64..<128)
    }

    @Test(arguments: RealFile.encrypted)
    func `Each value is what realm-core says`(name: String) throws {
      let file = try RealmFile(RealFile.url(name), encryptionKey: Self.key(name))
      var comparison = Comparison(file, try RealFile.json(name))
      try comparison.run()
      expectTrue(comparison.differences.prefix(10).isEmpty)
      expectTrue(comparison.values > 1000)
      let object = try #require(try file.objects("Item").next())
      try expectEqual(file.object("Item", key: object.key), object)
    }

    @Test(arguments: RealFile.encrypted)
    func `A wrong key is named`(name: String) throws {
      let url = RealFile.url(name)
      let error = expectError { _ = try RealmFile(url, encryptionKey: Data(count: 64)) }
      expectEqual(error?.code, .wrongKey)
      expectEqual(
        error?.description,
        "'\(url.path)': The key fits no page of the encrypted file. Give the 64 bytes with which "
          + "Realm opens the file. If they are right, the file is damaged: read a backup.")
      // Each half of the key has a purpose.
      var half = Self.key(name)
      half[half.startIndex + 40] ^= 1
      expectEqual(expectError { _ = try RealmFile(url, encryptionKey: half) }?.code, .wrongKey)
    }

    @Test(arguments: [0, 32, 63, 65])
    func `A key has 64 bytes`(count: Int) {
      let url = RealFile.url("encrypted")
      let error = expectError { _ = try RealmFile(url, encryptionKey: Data(count: count)) }
      expectEqual(error?.code, .wrongKey)
      expectEqual(
        error?.description,
        "'\(url.path)': The key has \(count) bytes, and one of Realm has 64. Give the 64 bytes with "
          + "which Realm opens the file.")
    }

    @Test(arguments: ["links", "many"])
    func `A file without encryption needs no key`(name: String) {
      let error = expectError {
        _ = try RealmFile(RealFile.url(name), encryptionKey: Self.key("encrypted"))
      }
      expectEqual(error?.code, .notEncrypted)
    }

    @Test func `A damaged page is named, and no other error is`() throws {
      let original = try RealFile.bytes("encrypted")
      var damaged = 0
      for page in 1..<original.count / Self.pageSize {
        var bytes = original
        bytes[page * Self.pageSize + 17] ^= 0x10
        do throws(RealmFileError) {
          _ = try WholeReading.run(RealmFile(bytes: bytes, encryptionKey: Self.key("encrypted")))
        } catch {
          damaged += 1
          expectEqual(error.code, .damagedPage)
          expectEqual(
            error.problem,
            "\(page == 1 ? "The first" : "A") page of the encrypted file has other bytes than Realm wrote"
          )
          // The first page follows the one with the entries of pages.
          expectEqual(error.place.offset, (page - 1) * Self.pageSize)
          expectTrue(error.repair.hasPrefix("Read a backup of the file"))
        }
      }
      // A page without anything that is used doesn't matter.
      expectTrue(damaged > 2)
    }

    @Test func `A damaged first page is told from a wrong key`() throws {
      var bytes = try RealFile.bytes("encrypted")
      bytes[Self.pageSize + 100] ^= 1
      let error = expectError {
        _ = try RealmFile(bytes: bytes, encryptionKey: Self.key("encrypted"))
      }
      expectEqual(error?.code, .damagedPage)
      expectEqual(
        error?.description,
        "The first page of the encrypted file has other bytes than Realm wrote (byte 0). Read a "
          + "backup of the file, or a copy that Realm makes with 'writeCopy'.")
    }

    @Test func `A page whose write was interrupted has its former bytes`() throws {
      var bytes = try RealFile.bytes("encrypted")
      for entry in stride(from: 0, to: Self.pageSize, by: 64) where bytes[entry] != 0 {
        // The entry of the new page is written first.
        let former = Array(bytes[entry..<entry + 32])
        bytes.replaceSubrange(entry + 32..<entry + 64, with: former)
        bytes[entry] &+= 1
        bytes[entry + 10] ^= 0xFF
      }
      let file = try RealmFile(bytes: bytes, encryptionKey: Self.key("encrypted"))
      var comparison = Comparison(file, try RealFile.json("encrypted"))
      try comparison.run()
      expectTrue(comparison.differences.prefix(10).isEmpty)
    }

    @Test func `A part of a page at the end doesn't count`() throws {
      let bytes = try RealFile.bytes("encrypted") + [1, 2, 3]
      let file = try RealmFile(bytes: bytes, encryptionKey: Self.key("encrypted"))
      try expectTrue(WholeReading.run(file) > 1000)
      for count in [1, 4095, 4096, 8191] {
        let error = expectError {
          _ = try RealmFile(bytes: Array(bytes.prefix(count)), encryptionKey: Self.key("encrypted"))
        }
        expectEqual(error?.code, .truncated)
      }
    }

    @Test func `Damaged encrypted files end in an error, or are read`() throws {
      let isLong = ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all"
      var outcomes: [String: Int] = [:]
      for seed in 1...(isLong ? 2_000 : 60) as ClosedRange<UInt64> {
        let name = RealFile.encrypted[Int(seed % 2)]
        let mutation = Mutation(seed: seed, try RealFile.bytes(name), nodes: [])
        do throws(RealmFileError) {
          _ = try WholeReading.run(RealmFile(bytes: mutation.bytes, encryptionKey: Self.key(name)))
          outcomes["read", default: 0] += 1
        } catch {
          outcomes[error.code.description, default: 0] += 1
          // The counter of a page isn't authenticated: another one changes its first 16 bytes.
          expectTrue(
            [.damagedPage, .wrongKey, .truncated, .notRealmFile, .damaged].contains(error.code),
            "seed \(seed): \(error)")
        }
      }
      expectTrue(outcomes.count > 1, "\(outcomes)")
    }
  }
#endif
