/// A cipher that decrypts the pages of an encrypted file, with a key that it knows.
///
/// The library `StrataRealmFileEncryption` has one, with the initializer
/// `RealmFile(_:encryptionKey:)`. The protocol keeps cryptography out of programs that read only
/// plain files.
public protocol RealmFileCipher: Sendable {
  /// The first 28 bytes of the HMAC-SHA-224 of a page, with the second half of the key.
  ///
  /// - Parameter page: 4,096 encrypted bytes.
  func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8]

  /// Decrypts a page by AES-256 in CBC mode without padding, with the first half of the key.
  ///
  /// - Parameters:
  ///   - page: 4,096 encrypted bytes.
  ///   - initializationVector: 16 bytes.
  ///   - output: Where the 4,096 bytes go.
  /// - Returns: Whether the page could be decrypted.
  func decrypt(
    _ page: UnsafeRawBufferPointer, initializationVector: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool
}
