import StrataStorage

/// The statements that the same query may be asked for again.
struct QueryTexts: Sendable {
  enum Kind: Int, CaseIterable {
    case first, last, count, exists, extent, deletion, rows, rowsAfter, someRowsWithin
  }

  /// By their kinds; empty before the first one.
  private var texts: [StatementText?] = []
  /// Whether the query is asked again and again, or a few times.
  private let areKept: Bool

  init(areKept: Bool) { self.areKept = areKept }

  mutating func text(_ kind: Kind, _ make: () -> String) -> StatementText {
    if kind.rawValue < texts.count, let known = texts[kind.rawValue] { return known }
    let text = StatementText(make(), isKept: areKept)
    if texts.isEmpty { texts = Array(repeating: nil, count: Kind.allCases.count) }
    texts[kind.rawValue] = text
    return text
  }
}
