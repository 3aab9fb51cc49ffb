import Foundation

/// All of a run, for keeping.
struct SuiteReport: Encodable {
  let date: Date
  let machine: Machine
  let rows: [Int]
  let passes: Int
  let cases: [CaseReport]

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.dateEncodingStrategy = .iso8601
    try encoder.encode(self).write(to: file)
  }
}
