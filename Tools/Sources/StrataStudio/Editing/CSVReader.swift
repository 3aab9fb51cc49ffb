/// A reader of CSV in the format of RFC 4180 and its common variants: with a byte order mark, with
/// any line ending, and with unnecessary quotation marks.
///
/// ```swift
/// var reader = CSVReader(source)
/// while let record = try reader.next() { print(record.line, record.fields) }
/// ```
struct CSVReader {
  private let source: ByteReader
  /// The byte between two fields.
  let separator: UInt8
  private var line = 1

  init(_ source: ByteReader, separator: UInt8 = UInt8(ascii: ",")) {
    self.source = source
    self.separator = separator
  }

  /// A record: one line, or several if a field has line breaks.
  struct Record: Hashable {
    /// The number of the first line.
    var line: Int
    /// The fields; nil for an empty field, which differs from `""`.
    var fields: [String?]
  }

  /// Returns the next record; nil at the end. Skips empty lines.
  ///
  /// - Throws: ``RequestFailure`` with status 422 for an unclosed quotation mark, for text after a
  ///   closing one, and for invalid UTF-8.
  mutating func next() throws(RequestFailure) -> Record? {
    while try isAtLineEnd() { try skipLineEnd() }
    guard try source.peek() != nil else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try field())
      switch try source.peek() {
      case nil: return record
      case separator: source.skip()
      default:
        try skipLineEnd()
        return record
      }
    }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private func isAtLineEnd() throws(RequestFailure) -> Bool {
    try source.peek().map(Self.isLineEnd) ?? false
  }

  private mutating func skipLineEnd() throws(RequestFailure) {
    let isReturn = try source.peek() == 0x0D
    source.skip()
    if isReturn, try source.peek() == 0x0A { source.skip() }
    line += 1
  }

  private mutating func field() throws(RequestFailure) -> String? {
    if try source.peek() == UInt8(ascii: "\"") { return try quoted() }
    var content: [UInt8] = []
    while let byte = try source.peek(), byte != separator, !Self.isLineEnd(byte) {
      content.append(byte)
      source.skip()
    }
    return content.isEmpty ? nil : try text(content)
  }

  private mutating func quoted() throws(RequestFailure) -> String {
    let first = line
    source.skip()
    var content: [UInt8] = []
    while let byte = try source.peek() {
      source.skip()
      if byte == 0x0A { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      switch try source.peek() {
      case byte:
        content.append(byte)
        source.skip()
      case nil, separator, 0x0A, 0x0D: return try text(content)
      default:
        throw .invalid(
          "Line \(line) of the file has text after a closing quotation mark. Double the marks "
            + "that belong to the text.")
      }
    }
    throw .invalid(
      "The quotation mark in line \(first) of the file is never closed. Close it, or double it.")
  }

  private func text(_ bytes: [UInt8]) throws(RequestFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("Line \(line) of the file is no UTF-8. Save the file as UTF-8.")
    }
    return text
  }
}
