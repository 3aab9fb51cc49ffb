import StrataSchema
import StrataStorage

/// A format of files that are imported.
package enum ImportFormat: String, CaseIterable, Sendable {
  case csv
  case json
  case ndjson
}

/// A reader of the objects in a file that is imported, one after the other, before anything is
/// known of their class.
struct ImportReader {
  let format: ImportFormat
  /// The names of what the objects have, in the order in which they first occur: of CSV all from
  /// the beginning, of JSON those of the objects that were read.
  private(set) var columns: [String] = []

  private let source: ByteReader
  private let keys: ImportedKeys
  private let nilText: String
  private var records: CSVReader
  private var elements: JSONElements
  private var indexes: [String: Int] = [:]
  /// The number of the line or the object that was read last.
  private var number = 0

  struct Row {
    /// The line of the file; in JSON the number of the object.
    var line: Int
    /// In the order of the columns; shorter where the last are missing.
    var cells: [ImportCell]
  }

  /// - Parameters:
  ///   - wish: Its format is nil for what the first character tells: an array, an object, or else
  ///     the names of columns. Its separator is nil for the one that gives most columns a name that
  ///     is known.
  ///   - isKnown: Whether there is a property for a name.
  /// - Throws: ``RequestFailure`` with status 422 for a header that can't be read, and with code
  ///   `input` for a file that can't.
  init(
    _ input: ImportInput, _ wish: ImportWish, _ keys: ImportedKeys,
    isKnown: (String) -> Bool
  ) throws(RequestFailure) {
    source = try ByteReader(input, wish.cancellation)
    self.keys = keys
    nilText = wish.nilText
    format = if let format = wish.format { format } else { try Self.format(source) }
    let separator =
      if let separator = wish.separator { separator } else {
        try Self.separator(source, isKnown)
      }
    records = CSVReader(source, separator: separator)
    elements = JSONElements(source, keys)
    if format == .csv { try readHeader() }
  }

  private static func format(_ source: ByteReader) throws(RequestFailure) -> ImportFormat {
    // Spaces before JSON have no meaning; before CSV they are a part of it.
    switch try source.firstVisible() {
    case UInt8(ascii: "["): .json
    // A class without objects is exported as nothing.
    case UInt8(ascii: "{"), nil: .ndjson
    default: .csv
    }
  }

  /// The next object; nil behind the last one.
  ///
  /// - Throws: As the initialiser, for what can't be read of the rest.
  mutating func next() throws(RequestFailure) -> Row? {
    switch format {
    case .csv: return try nextRecord()
    case .json:
      guard let (bytes, offset) = try elements.next() else { return nil }
      number += 1
      return try row(NestedValue(importing: bytes, keys, from: "The file", offset: offset))
    case .ndjson:
      guard let line = try nextLine() else { return nil }
      return try row(
        NestedValue(importing: line, keys, from: "Line \(number) of the file", offset: 0))
    }
  }

  // MARK: CSV

  /// What programs put between fields: `,`, `;`, a tab, `|`; the first one where none is better.
  private static let separators = [0x2C, 0x3B, 0x09, 0x7C] as [UInt8]

  private static func separator(
    _ source: ByteReader, _ isKnown: (String) -> Bool
  ) throws(RequestFailure) -> UInt8 {
    let start = try source.start()
    var best = (separator: separators[0], count: 0)
    for separator in separators {
      var reader = CSVReader(try ByteReader(.bytes(start)), separator: separator)
      let header: CSVReader.Record?
      do {
        header = try reader.next()
      } catch {
        // Another separator may fit; if none does, reading the header tells what is wrong.
        continue
      }
      let count = header?.fields.count { $0.map(isKnown) ?? false } ?? 0
      if count > best.count { best = (separator, count) }
    }
    return best.separator
  }

  private mutating func readHeader() throws(RequestFailure) {
    guard let header = try records.next() else {
      throw .invalid("The file is empty. Its first line has the names of the columns.")
    }
    columns = header.fields.map { $0 ?? "" }
    guard Set(columns).count == columns.count else {
      throw .invalid("Two columns of the file have the same name. Give them different ones.")
    }
  }

  private mutating func nextRecord() throws(RequestFailure) -> Row? {
    guard let record = try records.next() else { return nil }
    guard record.fields.count <= columns.count else {
      throw .invalid(
        "Line \(record.line) has \(record.fields.count) fields, and the header \(columns.count). Put "
          + "quotation marks around texts with \(separatorName).")
    }
    return Row(line: record.line, cells: record.fields.map(cell))
  }

  private var separatorName: String {
    switch records.separator {
    case 0x2C: "commas"
    case 0x3B: "semicolons"
    case 0x09: "tabs"
    default: "'\(Character(Unicode.Scalar(records.separator)))'"
    }
  }

  private func cell(_ field: String?) -> ImportCell {
    guard !nilText.isEmpty else { return field.map { .text($0) } ?? .empty }
    return field == nilText ? .empty : .text(field ?? "")
  }

  // MARK: JSON

  /// The next line that has something in it.
  private mutating func nextLine() throws(RequestFailure) -> [UInt8]? {
    while try source.peek() != nil {
      number += 1
      var line: [UInt8] = []
      var isEmpty = true
      while let byte = try source.peek() {
        source.skip()
        if byte == 0x0A { break }
        isEmpty = isEmpty && (byte == 0x20 || byte == 0x0D)
        line.append(byte)
      }
      if !isEmpty { return line }
    }
    return nil
  }

  private mutating func row(_ value: NestedValue) throws(RequestFailure) -> Row {
    guard case .dictionary(let entries) = value else {
      throw .invalid("Number \(number) in the file is no object. Write it as '{…}'.")
    }
    var cells: [ImportCell] = []
    for entry in entries {
      let index = indexes[entry.key] ?? columns.count
      if index == columns.count {
        indexes[entry.key] = index
        columns.append(entry.key)
      }
      while cells.count <= index { cells.append(.missing) }
      cells[index] = .value(entry.value)
    }
    return Row(line: number, cells: cells)
  }
}

/// A value in a file that is imported.
enum ImportCell {
  /// As a person writes it.
  case text(String)
  case value(NestedValue)
  /// Nil of CSV, which is an empty text where there is no nil: other programs write both so.
  case empty
  case missing
}
