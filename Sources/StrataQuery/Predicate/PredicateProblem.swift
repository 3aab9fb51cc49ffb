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
