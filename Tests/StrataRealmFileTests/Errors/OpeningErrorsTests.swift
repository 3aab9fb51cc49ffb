import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// The errors of opening, each with the place and the repair.
@Suite("Errors of opening")
struct OpeningErrorsTests {
  @Test func `A path without a file is named`() {
    let error = expectError {
      _ = try RealmFile(URL(fileURLWithPath: "/nowhere/people.realm"))
    }
    expectEqual(error?.code, .cannotOpen)
    expectEqual(
      error?.description,
      "'/nowhere/people.realm': The file can't be opened: No such file or directory. Give the "
        + "path of a file that this program may read.")
    expectEqual(error?.localizedDescription, error?.description)
  }

  @Test func `A folder is no file`() {
    let error = expectError {
      _ = try RealmFile(URL(fileURLWithPath: "/"))
    }
    expectEqual(error?.code, .cannotOpen)
    expectEqual(
      error?.description, "'/': The path names no ordinary file. Give the path of a '.realm' file.")
  }

  @Test func `An empty file is named`() throws {
    let file = try TemporaryFile([])
    let error = expectError { _ = try RealmFile(file.url) }
    expectEqual(error?.code, .empty)
    expectEqual(
      error?.description,
      "'\(file.url.path)': The file has no bytes. Copy the file again. If it was empty before, "
        + "Realm has never written to it.")
    expectEqual(self.error([])?.code, .empty)
  }

  @Test func `Another kind of file is named`() {
    let error = error(Array("This is a text, and no file of a database.\n".utf8))
    expectEqual(error?.code, .notRealmFile)
    expectEqual(
      error?.description,
      "The file is no '.realm' file. Give the path of a file that Realm wrote, which usually "
        + "ends with '.realm'.")
  }

  @Test func `A file whose end is missing is named`() throws {
    let bytes = try RealFile.bytes("links")
    let error = error(Array(bytes.dropLast(4096)))
    expectEqual(error?.code, .truncated)
    expectEqual(
      error?.description,
      "The end of the file is missing: its newest version begins at byte 4368 of 4096. Copy the file "
        + "again, while no program has it open.")
    for count in [1, 23, 25, 100, 4095] {
      expectTrue(
        [.truncated, .notRealmFile].contains(self.error(Array(bytes.prefix(count)))?.code))
    }
    let copy = try RealFile.bytes("streaming")
    let copyError = self.error(Array(copy.dropLast(16)))
    expectEqual(copyError?.code, .truncated)
    expectEqual(
      copyError?.problem, "The end of the file is missing: it doesn't end as a copy that Realm made"
    )
  }

  @Test(arguments: 1...9)
  func `An older format is named, with the way to read it`(format: UInt8) throws {
    let error = try error(withFormat: format)
    expectEqual(error?.code, .olderFormat)
    expectEqual(
      error?.description,
      "The file has format \(format), and formats from 10 on can be read. Open a copy once with a "
        + "program that uses RealmSwift 5.0 to 10.48, which changes it to a newer format, and read "
        + "that copy.")
  }

  @Test(arguments: [12, 19, 25, 255] as [UInt8])
  func `An unknown format is named`(format: UInt8) throws {
    let error = try error(withFormat: format)
    expectEqual(error?.code, .newerFormat)
    expectEqual(
      error?.description,
      "The file has format \(format), which this version doesn't know. Update this library, or "
        + "export the file with the program that wrote it.")
  }

  @Test(arguments: RealFile.encrypted)
  func `An encrypted file without its key is named`(name: String) throws {
    let url = RealFile.url(name)
    let error = expectError { _ = try RealmFile(url) }
    expectEqual(error?.code, .encrypted)
    expectEqual(
      error?.description,
      "'\(url.path)': The file is encrypted, or no '.realm' file. Open it with its key: "
        + "'RealmFile(url, encryptionKey: key)' of 'StrataRealmFileEncryption', which needs the "
        + "trait 'EncryptedRealmFiles' of the package.")
  }

  @Test func `A key for a file that isn't encrypted is refused`() throws {
    let error = expectError {
      _ = try RealmFile(RealFile.url("links"), cipher: NoCipher())
    }
    expectEqual(error?.code, .notEncrypted)
    expectEqual(error?.problem, "The file isn't encrypted")
    expectEqual(error?.repair, "Open it without a key.")
  }

  @Test func `A damaged array is named with its byte`() throws {
    var bytes = try RealFile.bytes("links")
    let top = bytes[0..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let other = bytes[8..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    for ref in [top, other] where ref > 0 { bytes[ref] = 0 }
    let error = error(bytes)
    expectEqual(error?.code, .damaged)
    let place = bytes[23] & 1 == 0 ? top : other
    expectEqual(error?.place.offset, place)
    expectEqual(
      error?.description,
      "The file is damaged: there is no array at byte \(place) (byte \(place)). Read a backup of "
        + "the file, or a copy that Realm makes with 'writeCopy'.")
  }

  private func error(_ bytes: [UInt8]) -> RealmFileError? {
    expectError { _ = try RealmFile(bytes: bytes) }
  }

  private func error(withFormat format: UInt8) throws -> RealmFileError? {
    var bytes = try RealFile.bytes("links")
    bytes[20] = format
    bytes[21] = format
    return error(bytes)
  }
}

/// Knows no key.
struct NoCipher: RealmFileCipher {
  func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](repeating: 0, count: 28)
  }

  func decrypt(
    _ page: UnsafeRawBufferPointer, initializationVector: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool { false }
}
