/// The reason why a condition is invalid, with its place and the repair.
///
/// The sentences are Realm's where it has one, so that users can search for them. They are beside
/// the code that finds the problem, as functions of this type.
package struct PredicateProblem: Error, Sendable, Hashable {
  /// One word, because each level of a deep condition reserves stack space for a problem.
  private let content: Content

  package var message: String { content.message }
  /// The message for logs, without values of the program.
  package var loggedMessage: String { content.loggedMessage }
  /// The column of the mistake, for a text that is no condition. The first character is in column
  /// 1.
  package var column: Int? { content.column }
  /// The invalid or wrongly compared path, as written in the text.
  package var path: String? { content.path }
  /// The value that the path is compared with, as in messages.
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
  /// Whether both have the same message. Their places in a text are ignored.
  package static func == (first: PredicateProblem, second: PredicateProblem) -> Bool {
    first.message == second.message && first.loggedMessage == second.loggedMessage
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(loggedMessage)
  }
}

/// The limits for nesting conditions, and the weight of each part of a condition.
///
/// A chain with `AND`, or with `OR`, is one level, whatever its length. Two things limit the
/// levels: the stack of a thread, and SQLite's parser.
package enum QueryDepth {
  /// The greatest number of levels of a condition. Recursive functions walk it, on threads with 512
  /// KB of stack.
  package static let maxDepth = 200

  /// The weight of a `SUBQUERY` in a text, whose parser needs more stack.
  package static let ofSubqueryInText = 20

  /// The greatest weight of a statement. Before version 3.46, the stack of SQLite's parser has 100
  /// entries, which is enough for this number of levels of `AND` in `OR`.
  static let maxInSQL = 64

  // The weights of parts of a statement, each of which is a subselect or several conditions.
  static let ofSubquery = 7
  static let ofAnyValueOrDecimal = 6
  static let ofCollection = 18
  static let ofLink = 9
  static let ofMapValue = 9
  /// A limit before further levels.
  static let ofLimit = 8
  static let ofDistinct = 14

  /// The depth up to which the parts of a chain keep their order in SQL. In a deeper chain the
  /// deepest part comes first, so that the parser needs one stack entry for each level instead of
  /// three.
  static let maxInOrder = 8
}
