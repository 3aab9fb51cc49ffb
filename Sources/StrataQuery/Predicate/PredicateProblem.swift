/// The reason why a condition can't be asked: what is wrong, where, and the repair.
///
/// The sentences are those of Realm where it has one, so that they can be searched for; they are
/// beside the code that finds the problem, as functions of this type.
package struct PredicateProblem: Error, Sendable, Hashable {
  /// One word, because each step into a deep condition has room for a problem on its stack.
  private let content: Content

  /// The whole text.
  package var message: String { content.message }
  /// The text for logs, without values of the program's.
  package var loggedMessage: String { content.loggedMessage }
  /// Where the text is wrong, for a text that is no condition: the first character is in column 1.
  package var column: Int? { content.column }
  /// The path that is wrong, or is compared in a wrong way, as it is written in the text.
  package var path: String? { content.path }
  /// The value that the path is compared with, as messages show it.
  package var value: String? { content.value }

  package init(
    _ message: String, logged loggedMessage: String? = nil, column: Int? = nil,
    path: String? = nil, value: String? = nil
  ) {
    content = Content(message, loggedMessage ?? message, column, path, value)
  }

  private final class Content: Sendable {
    let message: String
    let loggedMessage: String
    let column: Int?
    let path: String?
    let value: String?

    init(
      _ message: String, _ loggedMessage: String, _ column: Int?, _ path: String?, _ value: String?
    ) {
      self.message = message
      self.loggedMessage = loggedMessage
      self.column = column
      self.path = path
      self.value = value
    }
  }
}

extension PredicateProblem {
  /// Whether both say the same. Where in a text that is belongs to the text.
  package static func == (first: PredicateProblem, second: PredicateProblem) -> Bool {
    first.message == second.message && first.loggedMessage == second.loggedMessage
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(loggedMessage)
  }
}

/// The limits of how deep conditions may be inside of each other, and what each part of one counts
/// for.
///
/// A chain with `AND`, and one with `OR`, is one level, however long it is. Two things limit the
/// levels: the stack of a thread, and SQLite's parser.
package enum QueryDepth {
  /// The most levels of a condition. Functions that call themselves walk it, on threads with 512 KB
  /// of stack.
  package static let most = 200

  /// What a `SUBQUERY` in a text counts for, whose parser asks more of the stack.
  package static let ofSubqueryInText = 20

  /// The most that a statement may count. SQLite's parser, before version 3.46, has room for 100
  /// signs that wait for others: enough for so many levels of `AND` in `OR`.
  static let mostInSQL = 64

  // What parts of a statement count for there, each a subselect or several conditions.
  static let ofSubquery = 7
  static let ofAnyValueOrDecimal = 6
  static let ofCollection = 18
  static let ofLink = 9
  static let ofMapValue = 9
  /// A limit that something follows.
  static let ofLimit = 8
  static let ofDistinct = 14

  /// Up to here the parts of a chain keep their order in SQL. Of a deeper chain the deepest part
  /// comes first: the parser then keeps one sign for each level instead of three.
  static let mostInOrder = 8
}
