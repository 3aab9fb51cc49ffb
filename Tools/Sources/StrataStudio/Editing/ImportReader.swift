import StrataSchema
import StrataStorage

/// A reader of the objects in a file to import, one at a time, without knowledge of their class.
struct ImportReader {
  let format: ObjectFormat
  /// The names of the values, in the order of their first occurrence. CSV has all names from the
  /// start; JSON has the names in the objects that were read so far.
  private(set) var columns: [String] = []

  private let source: ByteReader
  private let keys: ImportedKeys
  private let nilText: String
  private var records: CSVReader
  private var elements: JSONElements
  private var indexes: [String: Int] = [:]
  /// The number of the last line or object that was read.
  private var number = 0

  struct Row {
    /// The line of the file; in JSON, the number of the object.
    var line: Int
    /// The cells in the order of the columns; missing cells at the end are left out.
    var cells: [ImportCell]
  }

  /// - Parameters:
  ///   - wish: If its format is nil, the first character decides: an array, an object, or else a
  ///     CSV header. If its separator is nil, the one that gives the most known column names is
  ///     used.
  ///   - isKnown: Whether there is a property for a name.
  /// - Throws: ``RequestFailure`` with status 422 for an invalid header, and with code `input` for
  ///   a file that can't be read.
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

  private static func format(_ source: ByteReader) throws(RequestFailure) -> ObjectFormat {
    // Spaces before JSON have no meaning; in CSV they are part of the first field.
    switch try source.start().first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
    case UInt8(ascii: "["): .json
    // The NDJSON export of a class without objects is an empty file.
    case UInt8(ascii: "{"), nil: .ndjson
    default: .csv
    }
  }

  /// Returns the next object; nil at the end.
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

  /// The common separators: `,`, `;`, a tab, and `|`. Of equally good ones, the first wins.
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
        // Another separator may fit. If none does, reading the header reports the problem.
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

  /// The next line that isn't empty.
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

/// A value in a file to import.
enum ImportCell {
  /// A text without a type.
  case text(String)
  case value(NestedValue)
  /// An empty CSV field. It means nil, or an empty text if the property can't be nil: other
  /// programs write both this way.
  case empty
  case missing
}
