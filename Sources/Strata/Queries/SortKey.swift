import Foundation

/// A value of unknown type as collections sort it: nil first, numbers by their value whatever their
/// type, then text and bytes by their bytes, dates, and the rest by its text.
struct SortKey: Comparable {
  private enum Content {
    case none
    case integer(Int)
    case number(Double)
    case decimal(Decimal128)
    case bytes(rank: Int, [UInt8])
    case date(Date)
  }

  private let content: Content

  init(_ value: Any?) {
    content =
      switch value {
      case nil: .none
      case let value as Bool: .integer(value ? 1 : 0)
      case let value as Int: .integer(value)
      case let value as Float: .number(Double(value))
      case let value as Double: .number(value)
      case let value as Decimal128: .decimal(value)
      case let value as String: .bytes(rank: 2, Array(value.utf8))
      case let value as Data: .bytes(rank: 3, Array(value))
      case let value as Date: .date(value)
      case let value?: .bytes(rank: 5, Array("\(value)".utf8))
      }
  }

  private var rank: Int {
    switch content {
    case .none: 0
    case .integer, .number, .decimal: 1
    case .bytes(let rank, _): rank
    case .date: 4
    }
  }

  private var decimal: Decimal128 {
    switch content {
    case .integer(let value): Decimal128(value: value)
    case .number(let value): Decimal128(value: value)
    case .decimal(let value): value
    case .none, .bytes, .date: Decimal128()
    }
  }

  static func < (first: SortKey, second: SortKey) -> Bool {
    switch (first.content, second.content) {
    case (.integer(let one), .integer(let other)): one < other
    case (.number(let one), .number(let other)): one < other
    case (.date(let one), .date(let other)): one < other
    case (.bytes(let rank, let one), .bytes(let otherRank, let other)) where rank == otherRank:
      one.lexicographicallyPrecedes(other)
    default:
      first.rank == second.rank ? first.decimal < second.decimal : first.rank < second.rank
    }
  }

  static func == (first: SortKey, second: SortKey) -> Bool {
    !(first < second) && !(second < first)
  }
}
