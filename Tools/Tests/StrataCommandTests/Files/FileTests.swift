import Foundation
import Strata
import StrataRealmFile
import TestKit
import Testing

@testable import StrataCommand

@Suite struct FileKindTests {
  @Test func `The first bytes tell what a file is`() {
    func kind(_ text: String, size: Int = 24) -> FileKind {
      FileKind(
        start: Array(text.utf8) + [UInt8](repeating: 0, count: max(0, size - text.utf8.count)))
    }
    expectEqual(FileKind(start: []), .empty)
    expectEqual(kind("SQLite format 3"), .database)
    expectEqual(kind("0123456789abcdefT-DB"), .realm)
    expectEqual(kind("0123456789abcdefT-DB", size: 20), .other)
    expectEqual(kind("# People"), .other)
    expectEqual(kind("S", size: 1), .other)
  }
}

@Suite struct EncryptionKeyFileTests {
  private let key = (0..<64).map { UInt8($0 * 3) }

  private var digits: String {
    key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `A key is 64 bytes, or their digits`() {
    expectEqual(EncryptionKeyFile.key(in: key), key)
    expectEqual(EncryptionKeyFile.key(in: Array(digits.utf8)), key)
    expectEqual(EncryptionKeyFile.key(in: Array((digits.uppercased() + "\n").utf8)), key)
  }

  @Test func `Anything else is no key`() {
    expectNil(EncryptionKeyFile.key(in: []))
    expectNil(EncryptionKeyFile.key(in: Array(key.dropLast())))
    expectNil(EncryptionKeyFile.key(in: Array(digits.dropLast().utf8)))
    expectNil(EncryptionKeyFile.key(in: Array((digits.dropLast() + "g").utf8)))
    expectNil(EncryptionKeyFile.key(in: [UInt8](repeating: 0xB2, count: 128)))
  }
}

@Suite struct CommandFailureTests {
  @Test func `Errors of the libraries keep their words and get a number`() throws {
    let folder = try CommandFolder()
    let error = #expect(throws: Realm.Error.self) {
      try Realm.inspection(at: folder.url("none.sqlite"))
    }
    let failure = CommandFailure(try #require(error))
    expectEqual(failure.status, .noInput)
    expectEqual(failure.message, error?.message)
  }

  @Test func `What an error says to programmers is said to users`() throws {
    let folder = try CommandFolder()
    try folder.copyRealmFile("encrypted", to: "locked.realm")
    let error = #expect(throws: RealmFileError.self) {
      try RealmFile(folder.url("locked.realm"))
    }
    let failure = CommandFailure(try #require(error))
    expectEqual(failure.status, .data)
    expectFalse(failure.message.contains("RealmFile("))
    expectTrue(failure.message.hasSuffix("give its key with '--key-file'."))
  }
}
