/// A reader of CSV as RFC 4180 has it, and as other programs write it: with a mark at the
/// beginning, with either end of lines, with quotation marks where none are needed.
///
/// ```swift
/// var reader = CSVReader(bytes)
/// while let record = try reader.next() { print(record.line, record.fields) }
/// ```
struct CSVReader {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
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
    while position < bytes.count, Self.isLineEnd(bytes[position]) { skipLineEnd() }
    guard position < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try field())
      guard position < bytes.count else { return record }
      guard bytes[position] == UInt8(ascii: ",") else {
        skipLineEnd()
        return record
      }
      position += 1
    }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func skipLineEnd() {
    if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A {
      position += 1
    }
    position += 1
    line += 1
  }

  private mutating func field() throws(RequestFailure) -> String? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: ","),
        !Self.isLineEnd(bytes[position])
      { position += 1 }
      return start == position ? nil : try text(bytes[start..<position])
    }
    return try quoted()
  }

  private mutating func quoted() throws(RequestFailure) -> String {
    let first = line
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      if position < bytes.count, bytes[position] == byte {
        content.append(byte)
        position += 1
        continue
      }
      guard
        position == bytes.count || bytes[position] == UInt8(ascii: ",")
          || Self.isLineEnd(bytes[position])
      else {
        throw .invalid(
          "Line \(line) of the file has something behind a closing quotation mark. Double the marks "
            + "that belong to the text.")
      }
      return try text(content[...])
    }
    throw .invalid(
      "The quotation mark in line \(first) of the file is never closed. Close it, or double it.")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(RequestFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("Line \(line) of the file is no UTF-8. Save the file as UTF-8.")
    }
    return text
  }
}
