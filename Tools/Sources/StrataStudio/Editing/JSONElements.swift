import StrataSchema

/// A reader of the elements of a JSON array, with one element in memory at a time.
struct JSONElements {
  private let source: ByteReader
  private let keys: ImportedKeys
  private var state = State.before

  private enum State {
    case before, inside, behind
  }

  /// The number of bytes to read of a file that isn't an array, for the error message.
  private static let longestStart = 1000

  init(_ source: ByteReader, _ keys: ImportedKeys) {
    self.source = source
    self.keys = keys
  }

  /// Returns the next element and its byte offset; nil at the end.
  ///
  /// - Throws: ``RequestFailure`` with status 422 if the file is no array. The JSON of an element
  ///   is only validated when it is parsed.
  mutating func next() throws(RequestFailure) -> (bytes: [UInt8], offset: Int)? {
    if case .before = state, try !open() {
      try close()
      return nil
    }
    guard case .inside = state else { return nil }
    try source.skipSpaces()
    let offset = source.offset
    let bytes = try element()
    guard let end = try source.peek() else {
      // Parsing the element may give a better message.
      _ = try NestedValue(importing: bytes, keys, from: "The file", offset: offset)
      throw .noJSON("The file", offset: source.offset, "',' or ']'")
    }
    source.skip()
    if end == UInt8(ascii: "]") { try close() }
    return (bytes, offset)
  }

  /// Reads the start of the array. Returns whether the array has elements.
  private mutating func open() throws(RequestFailure) -> Bool {
    try source.skipSpaces()
    guard try source.peek() == UInt8(ascii: "[") else {
      var start: [UInt8] = []
      while start.count < Self.longestStart, let byte = try source.peek() {
        start.append(byte)
        source.skip()
      }
      if start.first != UInt8(ascii: "{") {
        _ = try NestedValue(importing: start, keys, from: "The file", offset: 0)
      }
      throw .invalid("The file isn't an array of objects. Write it as '[{…},{…}]'.")
    }
    source.skip()
    state = .inside
    try source.skipSpaces()
    guard try source.peek() == UInt8(ascii: "]") else { return true }
    source.skip()
    return false
  }

  /// Reads the bytes up to the comma or bracket that ends the element.
  private func element() throws(RequestFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var level = 0
    var isText = false
    var isEscaped = false
    while let byte = try source.peek() {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
        // At a negative level the JSON is invalid; parsing the element reports that.
        case UInt8(ascii: "]") where level <= 0, UInt8(ascii: ",") where level <= 0: return bytes
        case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
        default: break
        }
      }
      bytes.append(byte)
      source.skip()
    }
    return bytes
  }

  /// Checks that nothing follows the array.
  private mutating func close() throws(RequestFailure) {
    state = .behind
    try source.skipSpaces()
    guard try source.peek() == nil else {
      throw .noJSON("The file", offset: source.offset, "the end")
    }
  }
}

extension NestedValue {
  /// Parses JSON of an imported file.
  ///
  /// - Parameters:
  ///   - keys: Receives the primary keys in links.
  ///   - place: The location, as the start of a message.
  ///   - offset: The byte offset of the JSON at that location.
  /// - Throws: ``RequestFailure`` with status 422.
  init(
    importing bytes: [UInt8], _ keys: ImportedKeys, from place: String, offset: Int
  ) throws(RequestFailure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("\(place) is no UTF-8. Save the file as UTF-8.")
    }
    do throws(JSONProblem) {
      self = try keys.value(text)
    } catch {
      throw .noJSON(place, offset: offset + error.offset, error.expected)
    }
  }
}

extension RequestFailure {
  fileprivate static func noJSON(
    _ place: String, offset: Int, _ reason: String
  ) -> RequestFailure {
    .invalid("\(place) is no JSON: byte \(offset) should be \(reason). Repair it.")
  }
}
