import StrataSchema

/// The target of a request: the parts of its path, and the parameters of its query.
package struct RequestTarget: Sendable, Hashable {
  /// The parts between the slashes, decoded. A `%2F` is a slash within a part.
  package let path: [String]
  /// The parameters of the query, by name.
  package let query: [String: String]

  /// - Parameter bytes: The bytes between the method and the version.
  /// - Throws: ``RequestFailure`` with status 400 if the target is no path, for an invalid
  ///   encoding, and for a duplicate parameter.
  init(_ bytes: ArraySlice<UInt8>) throws(RequestFailure) {
    guard bytes.first == UInt8(ascii: "/"),
      bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
    else { throw .otherTarget }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    var path: [String] = []
    if end - bytes.startIndex > 1 {
      for part in bytes[(bytes.startIndex + 1)..<end]
        .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      {
        guard let text = PercentEncoding.decode(part, plusIsSpace: false) else {
          throw .badEncoding
        }
        path.append(text)
      }
    }
    self.path = path
    var query: [String: String] = [:]
    // The query is encoded as `application/x-www-form-urlencoded`.
    for item in bytes[end...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      guard let name = PercentEncoding.decode(item[..<end], plusIsSpace: true),
        let value = PercentEncoding.decode(item[end...].dropFirst(), plusIsSpace: true)
      else { throw .badEncoding }
      guard query.updateValue(value, forKey: name) == nil else { throw .twice(parameter: name) }
    }
    self.query = query
  }
}

/// The encoding of bytes as `%` and two hexadecimal digits.
enum PercentEncoding {
  /// - Returns: Nil for a `%` without two digits, and for invalid UTF-8.
  static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < bytes.endIndex, let high = hexValue(bytes[index]),
          let low = hexValue(bytes[index + 1])
        else { return nil }
        decoded.append(high << 4 | low)
        index += 2
      } else {
        decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }

  /// Encodes all characters but letters, digits and `-._~`.
  static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += "%\(hexDigits(of: [byte]))".utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
