import Foundation
package import StrataQuery
package import StrataSchema

/// The key of the row before a page, as a text that the page receives and sends back.
///
/// The text is base64url of JSON, and opaque to the page. It is valid for one query only: for
/// another query, the next page would begin anywhere.
///
/// ```swift
/// let text = PageKey(key, position: 99).text(of: question)   // eyJ…
/// let start = try PageKey(text, of: question)
/// ```
package struct PageKey: Sendable, Hashable {
  package var identity: Int64
  /// The sort values of the row; nil if they are too long for a URL, and must be read again.
  package var values: [StoredValue]?
  /// The number of rows before it, if known.
  package var position: Int

  /// The maximum size of the values in bytes. A URL has a limit of 8 KB.
  private static let maxBytes = 1500

  package init(_ key: QueryPage.Key, position: Int) {
    identity = key.identity
    let bytes = JSONValue.array(key.values.map(Self.json)).bytes.count
    values = bytes <= Self.maxBytes ? key.values : nil
    self.position = position
  }

  package func text(of question: Question) -> String {
    var members: [JSONValue.Member] = [
      .init("question", .text("\(question.hash)")), .init("row", .text("\(identity)")),
      .init("position", .int(position)),
    ]
    if let values { members.append(.init("values", .array(values.map(Self.json)))) }
    return Data(JSONValue.object(members).bytes).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// - Throws: ``RequestFailure`` with status 400 and code `key` if the text belongs to another
  ///   query, or is malformed.
  package init(_ text: String, of question: Question) throws(RequestFailure) {
    var base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64) else { throw .otherKey }
    let json: JSONValue
    do {
      json = try JSONReader.read(Array(data))
    } catch {
      throw .otherKey
    }
    guard json["question"]?.text == "\(question.hash)", let identity = json["row"]?.integer,
      let position = json["position"]?.integer, position >= 0
    else { throw .otherKey }
    self.identity = identity
    self.position = Int(position)
    guard let list = json["values"] else { return }
    var values: [StoredValue] = []
    for item in list.array ?? [.bool(false)] {
      guard let value = Self.value(item) else { throw .otherKey }
      values.append(value)
    }
    self.values = values
  }

  // MARK: Values

  /// A form of a value that keeps all its bits.
  private static func json(_ value: StoredValue) -> JSONValue {
    switch value {
    case .null: .null
    case .text(let text): .text(text)
    case .integer(let number): ["integer", .text("\(number)")]
    case .real(let number): ["real", .text("\(number.bitPattern)")]
    case .blob(let bytes): ["blob", .text(Data(bytes).base64EncodedString())]
    }
  }

  private static func value(_ json: JSONValue) -> StoredValue? {
    switch json {
    case .null: return .null
    case .text(let text): return .text(text)
    case .array(let parts):
      guard parts.count == 2, let text = parts[1].text else { return nil }
      switch parts[0].text {
      case "integer": return Int64(text).map { .integer($0) }
      case "real": return UInt64(text).map { .real(Double(bitPattern: $0)) }
      case "blob": return Data(base64Encoded: text).map { .blob(Array($0)) }
      default: return nil
      }
    case .bool, .int, .number, .object: return nil
    }
  }
}

extension Question {
  /// A hash that identifies the query, also for a page that outlives a studio.
  fileprivate var hash: UInt64 {
    let order = sort.flatMap { [$0.ascending ? "+" : "-", $0.path] }
    // A separator that no UTF-8 text contains keeps the parts apart.
    return stableHash(of: ([className, condition] + order).flatMap { Array($0.utf8) + [0xFF] })
  }
}

extension RequestFailure {
  static let otherKey = RequestFailure(
    .badRequest, "key",
    "The place where the page begins is one of another question. Begin with its first page.")
}
