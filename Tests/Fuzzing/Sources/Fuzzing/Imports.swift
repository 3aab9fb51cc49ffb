import StrataSchema

@testable import StrataStudio

/// Files of `strata import`, up to the values of their objects.
enum Imports {
  static func csv(_ bytes: [UInt8]) {
    read(bytes, .csv)
    guard let records = try? records(bytes) else { return }
    let lines = records.map { record in
      record.map { $0?.quoted("\"") ?? "" }.joined(separator: ",") + "\n"
    }
    let text = lines.joined()
    require((try? self.records(Array(text.utf8))) == records, "written again: \(text)")
  }

  /// The first character decides about the format.
  static func json(_ bytes: [UInt8]) { read(bytes, nil) }

  private static func records(_ bytes: [UInt8]) throws -> [[String?]] {
    var reader = CSVReader(try ByteReader(.bytes(bytes)))
    var records: [[String?]] = []
    while let record = try reader.next() { records.append(record.fields) }
    return records
  }

  private static func read(_ bytes: [UInt8], _ format: ObjectFormat?) {
    let keys = ImportedKeys()
    let wish = ImportWish("Item", format)
    guard var reader = try? ImportReader(.bytes(bytes), wish, keys, isKnown: { $0 == "name" })
    else { return }
    while let row = try? reader.next() {
      require(row.cells.count <= reader.columns.count, "more cells than columns")
      for case .value(let value) in row.cells { checkWritten(value, keys) }
      for case .text(let text) in row.cells {
        let value = CSVCell.value(text) { text throws(JSONProblem) in try keys.value(text) }
        checkWritten(value, keys)
      }
    }
  }

  /// Objects that are named by their keys have negative rows, which are no identities in a text.
  private static func checkWritten(_ value: NestedValue, _ keys: ImportedKeys) {
    var hasKeys = false
    value.forEach { if case .link(_, let row) = $0 { hasKeys = hasKeys || row < 0 } }
    if hasKeys { return }
    let text = CSVCell.text(value) { $0.text }
    let again = CSVCell.value(text) { text throws(JSONProblem) in try keys.value(text) }
    require(again.text == value.text, "a cell: \(text)")
  }
}
