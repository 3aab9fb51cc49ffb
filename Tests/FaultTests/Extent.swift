import Foundation

/// How much is tried, from the variable `STRATA_FAULTS` of the environment.
///
/// Everything with `all`, one point with its number, and a sample without it.
enum Extent: Equatable {
  case sample, all
  case only(Int)

  static let current: Extent = {
    switch ProcessInfo.processInfo.environment["STRATA_FAULTS"] {
    case "all": .all
    case let text?: Int(text).map { .only($0) } ?? .sample
    case nil: .sample
    }
  }()

  /// The jobs to try: in a sample some of them.
  func jobs(_ all: [String], sample: [String]) -> [String] { self == .sample ? sample : all }

  /// The points of `1...count` to try: in a sample the first, the last, and some between them.
  func points(_ count: Int, sample: Int) -> [Int] {
    switch self {
    case .only(let point): return point <= count ? [point] : []
    case .sample where count > sample:
      return (0..<sample).map { 1 + $0 * (count - 1) / (sample - 1) }
    case .sample, .all: return Array(1..<count + 1)
    }
  }
}
