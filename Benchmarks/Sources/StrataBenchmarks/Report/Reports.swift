import Foundation

/// All measurements of a run, for a file.
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

/// The measurements of a case, and its verdicts.
struct CaseReport: Encodable {
  let name: String
  let title: String
  let sizes: [SizeReport]
  let memory: [MemoryReport]
  let verdicts: [Verdict]

  init(_ item: Case, sizes: [SizeReport], memory: [MemoryReport]) {
    name = item.name
    title = item.title
    self.sizes = sizes
    self.memory = memory
    verdicts = item.targets.compactMap { Verdict($0, sizes, memory) }
  }
}

/// The measurements of a case at one number of rows.
struct SizeReport: Encodable {
  let rows: Int
  /// The number of operations.
  let units: Int
  let contestants: [ContestantReport]
  /// The ratios of this library to each other contestant.
  let ratios: [String: PairedRatio]

  init(rows: Int, units: Int, contestants: [ContestantReport]) {
    self.rows = rows
    self.units = units
    self.contestants = contestants
    let others = contestants.dropFirst().map {
      ($0.role.rawValue, PairedRatio(contestants[0].seconds, to: $0.seconds))
    }
    ratios = Dictionary(uniqueKeysWithValues: others)
  }

  var strata: Samples { contestants[0].seconds }

  var secondsPerUnit: Double { strata.median / Double(units) }

  func ratio(to role: Role) -> PairedRatio? { ratios[role.rawValue] }
}

/// The times of a contestant.
struct ContestantReport: Encodable {
  let role: Role
  let seconds: Samples
}

/// The peak memory of this library in a case.
struct MemoryReport: Encodable {
  let rows: Int
  let megabytes: Double
}

/// The measurements of one value, in the order of the passes.
struct Samples: Codable {
  let values: [Double]

  init(_ values: [Double]) {
    self.values = values
  }

  private var sorted: [Double] { values.sorted() }

  var least: Double { sorted[0] }
  var greatest: Double { sorted[values.count - 1] }

  var median: Double {
    let middle = values.count / 2
    return values.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  init(from decoder: any Decoder) throws {
    values = try [Double](from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

/// The ratio of two times that were measured in pairs.
///
/// Each pass has its own ratio: a temporary disturbance affects both sides.
struct PairedRatio: Codable {
  let median: Double
  let least: Double
  let greatest: Double
  /// The ratio of the fastest passes: useful on a machine with frequent disturbances.
  let fastest: Double

  init(_ first: Samples, to second: Samples) {
    let ratios = Samples(zip(first.values, second.values).map { $0 / $1 })
    median = ratios.median
    least = ratios.least
    greatest = ratios.greatest
    fastest = first.least / second.least
  }
}
