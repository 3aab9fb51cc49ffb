#if EncryptedRealmFiles
  import TestKit
  import Testing

  @testable import StrataRealmFileEncryption

  @Suite("SHA-224")
  struct SHA224Tests {
    @Test(arguments: [
      ("", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
      ("abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"
      ),
    ])
    func `The digests are those of the standard`(text: String, digest: String) {
      var hash = SHA224()
      Array(text.utf8).withUnsafeBytes { hash.update($0) }
      expectEqual(hex(hash.digest()), digest)
    }

    @Test func `A million letters have the digest of the standard`() {
      var hash = SHA224()
      let part = [UInt8](repeating: UInt8(ascii: "a"), count: 997)
      for _ in 0..<1003 { part.withUnsafeBytes { hash.update($0) } }
      [UInt8](repeating: UInt8(ascii: "a"), count: 9).withUnsafeBytes { hash.update($0) }
      expectEqual(hex(hash.digest()), "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67")
    }

    /// Test cases 1, 2 and 6 of RFC 4231.
    @Test(arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e"
      ),
    ])
    func `The codes are those of the standard`(key: [UInt8], message: String, code: String) {
      let result = Array(message.utf8).withUnsafeBytes { HMACSHA224(key: key).code(of: $0) }
      expectEqual(hex(result), code)
    }

    private func hex(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
#endif
