import StrataStorage

/// The statements that the same query may be asked for again.
struct QueryTexts: Sendable {
  enum Kind {
    case first, last, count, exists, extent, deletion
  }

  private var first: StatementText?
  private var last: StatementText?
  private var count: StatementText?
  private var exists: StatementText?
  private var extent: StatementText?
  private var deletion: StatementText?
  /// Whether the query is asked again and again, or a few times.
  private let areKept: Bool

  init(areKept: Bool) { self.areKept = areKept }

  mutating func text(_ kind: Kind, _ make: () -> String) -> StatementText {
    switch kind {
    case .first: Self.text(&first, isKept: areKept, make)
    case .last: Self.text(&last, isKept: areKept, make)
    case .count: Self.text(&count, isKept: areKept, make)
    case .exists: Self.text(&exists, isKept: areKept, make)
    case .extent: Self.text(&extent, isKept: areKept, make)
    case .deletion: Self.text(&deletion, isKept: areKept, make)
    }
  }

  private static func text(
    _ known: inout StatementText?, isKept: Bool, _ make: () -> String
  ) -> StatementText {
    if let known { return known }
    let text = StatementText(make(), isKept: isKept)
    known = text
    return text
  }
}
