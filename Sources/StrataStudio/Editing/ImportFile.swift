import StrataSchema

/// A format of files that are imported.
package enum ImportFormat: String, CaseIterable, Sendable {
  case csv
  case json
  case ndjson
}

/// The objects in a file that is imported, before anything is known of their class.
struct ImportFile {
  /// The names of what the objects have, in the order in which they first occur.
  private(set) var columns: [String] = []
  private(set) var rows: [Row] = []

  struct Row {
    /// The line of the file; in JSON the number of the object.
    var line: Int
    /// In the order of the columns; shorter where the last are missing.
    var cells: [ImportCell]
  }

  /// - Throws: ``RequestFailure`` with status 422 for a file that can't be read.
  init(
    _ bytes: [UInt8], _ format: ImportFormat, nilText: String = ""
  ) throws(RequestFailure) {
    switch format {
    case .csv: try readCSV(bytes, nilText)
    case .json:
      guard case .list(let values) = try Self.json(bytes[...], line: nil) else {
        throw .invalid("The file is no array of objects. Write it as '[{…},{…}]'.")
      }
      try readObjects(values.enumerated().map { ($0.offset + 1, $0.element) })
    case .ndjson:
      var values: [(Int, NestedValue)] = []
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated()
      where line.contains(where: { $0 != 0x20 && $0 != 0x0D }) {
        values.append((index + 1, try Self.json(line, line: index + 1)))
      }
      try readObjects(values)
    }
  }

  private mutating func readCSV(
    _ bytes: [UInt8], _ nilText: String
  ) throws(RequestFailure) {
    var reader = CSVReader(bytes)
    guard let header = try reader.next() else {
      throw .invalid("The file is empty. Its first line has the names of the columns.")
    }
    columns = header.fields.map { $0 ?? "" }
    guard Set(columns).count == columns.count else {
      throw .invalid("Two columns of the file have the same name. Give them different ones.")
    }
    while let record = try reader.next() {
      guard record.fields.count <= columns.count else {
        throw .invalid(
          "Line \(record.line) has \(record.fields.count) fields, and the header \(columns.count). Put "
            + "quotation marks around texts with commas.")
      }
      rows.append(
        Row(
          line: record.line,
          cells: record.fields.map { Self.cell($0, nilText) }))
    }
  }

  private static func cell(_ field: String?, _ nilText: String) -> ImportCell {
    guard !nilText.isEmpty else { return field.map { .text($0) } ?? .value(.null) }
    return field == nilText ? .value(.null) : .text(field ?? "")
  }

  private mutating func readObjects(_ values: [(Int, NestedValue)]) throws(RequestFailure) {
    var indexes: [String: Int] = [:]
    for (line, value) in values {
      guard case .dictionary(let entries) = value else {
        throw .invalid("Number \(line) in the file is no object. Write it as '{…}'.")
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
      rows.append(Row(line: line, cells: cells))
    }
  }

  private static func json(
    _ bytes: ArraySlice<UInt8>, line: Int?
  ) throws(RequestFailure) -> NestedValue {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    let place = line.map { "Line \($0) of the file" } ?? "The file"
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("\(place) is no UTF-8. Save the file as UTF-8.")
    }
    do throws(NestedProblem) {
      return try NestedValue(text: text)
    } catch {
      throw .invalid(
        "\(place) is no JSON: byte \(error.offset) should be \(error.reason). Repair it.")
    }
  }
}

/// A value in a file that is imported.
enum ImportCell {
  /// As a person writes it.
  case text(String)
  case value(NestedValue)
  case missing
}
