/// The statements that the same query may be asked for again.
struct QueryTexts: Sendable {
  enum Kind {
    case first, last, count
  }

  private var first: String?
  private var last: String?
  private var count: String?

  mutating func text(_ kind: Kind, _ make: () -> String) -> String {
    switch kind {
    case .first: Self.text(&first, make)
    case .last: Self.text(&last, make)
    case .count: Self.text(&count, make)
    }
  }

  private static func text(_ known: inout String?, _ make: () -> String) -> String {
    if let known { return known }
    let text = make()
    known = text
    return text
  }
}
