/// A reader of CSV as RFC 4180 has it, and as other programs write it: with a mark at the
/// beginning, with either end of lines, with quotation marks where none are needed.
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

  /// One line, or several where a field has line breaks.
  struct Record: Hashable {
    /// The number of its first line.
    var line: Int
    /// Nil for a field with nothing in it, which isn't the same as `""`.
    var fields: [String?]
  }

  /// The next record; nil at the end. Empty lines are none.
  ///
  /// - Throws: ``RequestFailure`` with status 422 for a quotation mark that isn't closed, or has
  ///   something behind it, and for what is no UTF-8.
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
          "Line \(line) of the file has something behind a closing quotation mark. Double the marks "
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
