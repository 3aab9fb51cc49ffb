import Synchronization

/// The SQL of a statement that is asked for again and again.
///
/// A connection finds the statement of a kept text by its number, without hashing the text:
/// ``NumberedStatements``.
package final class StatementText: Sendable {
  package let sql: String
  private let isKept: Bool
  private let given = Atomic(none)

  private static let none = -1
  private static let numbers = Atomic(0)

  /// - Parameter isKept: Whether the text is made once for all of its uses.
  package init(_ sql: String, isKept: Bool = true) {
    self.sql = sql
    self.isKept = isKept
  }

  /// The number in this process, given at the first use: nothing but texts that are used takes
  /// places of others. Nil for a text that isn't kept, whose statement is found by the text.
  var number: Int? {
    guard isKept else { return nil }
    let number = given.load(ordering: .relaxed)
    return number == Self.none ? makeNumber() : number
  }

  private func makeNumber() -> Int {
    let new = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    let result = given.compareExchange(expected: Self.none, desired: new, ordering: .relaxed)
    return result.exchanged ? new : result.original
  }
}
