import StrataSchema

/// A reader of the elements of an array of JSON, one after the other, of which one is in memory.
struct JSONElements {
  private let source: ByteReader
  private let keys: ImportedKeys
  private var state = State.before

  private enum State {
    case before, inside, behind
  }

  /// How much is read of a file that isn't an array, to say what is wrong with it.
  private static let longestStart = 1000

  init(_ source: ByteReader, _ keys: ImportedKeys) {
    self.source = source
    self.keys = keys
  }

  /// The next element, and how many bytes are before it; nil behind the last one.
  ///
  /// - Throws: ``RequestFailure`` with status 422 for what is no array. Whether an element is JSON
  ///   is seen when it is read.
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
      // The element itself may say better what is missing.
      _ = try NestedValue(importing: bytes, keys, from: "The file", offset: offset)
      throw .noJSON("The file", offset: source.offset, "',' or ']'")
    }
    source.skip()
    if end == UInt8(ascii: "]") { try close() }
    return (bytes, offset)
  }

  /// Begins the array, and says whether it has elements.
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

  /// The bytes until the comma or the bracket behind the element.
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
        // Below zero is a mistake, which reading the element tells.
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

  /// Makes sure that nothing is behind the array.
  private mutating func close() throws(RequestFailure) {
    state = .behind
    try source.skipSpaces()
    guard try source.peek() == nil else {
      throw .noJSON("The file", offset: source.offset, "the end")
    }
  }
}

extension NestedValue {
  /// Reads JSON of a file that is imported.
  ///
  /// - Parameters:
  ///   - keys: What becomes of objects that are told by their keys.
  ///   - place: Where it is, at the beginning of a sentence.
  ///   - offset: How many bytes are before it there.
  /// - Throws: ``RequestFailure`` with status 422.
  init(
    importing bytes: [UInt8], _ keys: ImportedKeys, from place: String, offset: Int
  ) throws(RequestFailure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("\(place) is no UTF-8. Save the file as UTF-8.")
    }
    do throws(NestedProblem) {
      self = try keys.value(text)
    } catch {
      throw .noJSON(place, offset: offset + error.offset, error.reason)
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
