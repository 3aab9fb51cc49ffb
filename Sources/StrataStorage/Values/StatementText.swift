import Synchronization

/// The SQL of a statement that is asked for again and again.
///
/// A connection finds the statement of a kept text by its number, without hashing the text:
/// ``NumberedStatements``.
package final class StatementText: Sendable {
  package let sql: String
  /// The number in this process; nil for a text that is asked for a few times, whose statement is
  /// found by the text.
  let number: Int?

  private static let numbers = Atomic(0)

  /// - Parameter isKept: Whether the text is made once for all of its uses.
  package init(_ sql: String, isKept: Bool = true) {
    self.sql = sql
    number = isKept ? Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue : nil
  }
}
