import RealmFileKit
import StrataRealmFile
import StrataSchema

/// The readers of what strangers write. For any bytes a reader gives a value or throws an error,
/// and a value that is written is read again as the same.
enum Readers {
  static let all: [String: @Sendable ([UInt8]) -> Void] = [
    "realm": realm, "filter": Filters.check, "nested": nested, "schema": Schemas.check,
    "csv": Imports.csv, "json": Imports.json, "request": Requests.check,
  ]

  private static func realm(_ bytes: [UInt8]) {
    // A file of some kilobytes may decode to that much, or else a single one would take seconds.
    let limits = RealmFileLimits(decodedBytesPerByte: 64, decodedBytes: 100_000)
    _ = try? WholeReading.run(RealmFile(bytes: bytes, limits: limits))
  }

  private static func nested(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = try? NestedValue(text: text) else { return }
    require((try? NestedValue(text: value.text))?.text == value.text, "\(value.text)")
    // Other programs name objects by their keys, and read decimal numbers.
    _ = try? NestedValue(exchanged: text, maxLevels: 8) { name, key in Int64(name.utf8.count) }
    _ = value.text(isForDecimals: true)
  }
}

/// Ends the process if something doesn't hold, which libFuzzer reports with the input.
func require(_ condition: Bool, _ text: @autoclosure () -> String) {
  if !condition { fatalError("It doesn't hold: \(text())") }
}
