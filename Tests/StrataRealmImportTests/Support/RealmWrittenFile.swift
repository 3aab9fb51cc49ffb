import Foundation
import RealmFileKit
import StrataRealmFile
import StrataRealmFileEncryption
import Testing

@testable import Strata
@testable import StrataRealmImport

/// A file that Realm wrote, and what Realm says is in it.
struct RealmWrittenFile: CustomTestStringConvertible {
  let name: String
  let key: Data?

  #if EncryptedRealmFiles
    static let all =
      plain + [
        RealmWrittenFile(name: "encrypted", key: Data(0..<64)),
        RealmWrittenFile(name: "encrypted-streaming", key: Data(64..<128)),
      ]

    func cipher() throws -> RealmFileKey? { try key.map { try RealmFileKey($0) } }
  #else
    static let all = plain

    func cipher() throws -> (any RealmFileCipher)? { nil }
  #endif

  private static let plain = RealFile.plain.map { RealmWrittenFile(name: $0, key: nil) }

  /// Choices with which all of them can be converted.
  static let choices: Set<ConversionChoice> = [
    .nan(.asNilOrZero), .dates(.clamped), .nestedCollections(.asNil),
  ]

  var url: URL { RealFile.url(name) }
  var testDescription: String { name }

  func json() throws -> JSONValue { try RealFile.json(name) }
}
