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

  var jsonURL: URL { RealFile.url(name, "json") }

  func json() throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: jsonURL))
  }
}

/// JSON as the descriptions of files have it: all numbers are integers.
indirect enum JSONValue: Decodable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let number = try? value.decode(Int64.self) {
      self = .int(number)
    } else if let number = try? value.decode(UInt64.self) {
      self = .int(Int64(bitPattern: number))
    } else if let isTrue = try? value.decode(Bool.self) {
      self = .bool(isTrue)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let elements = try? value.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  subscript(key: String) -> JSONValue {
    guard case .object(let members) = self else { return .null }
    return members[key] ?? .null
  }

  var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var number: Int64? {
    guard case .int(let number) = self else { return nil }
    return number
  }
}
