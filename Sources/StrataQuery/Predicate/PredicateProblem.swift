/// The reason why a condition can't be asked: what is wrong, where, and the repair.
///
/// The sentences are those of Realm where it has one, so that they can be searched for; they are
/// beside the code that finds the problem, as functions of this type.
package struct PredicateProblem: Error, Sendable, Hashable {
  /// The whole text.
  package let message: String
  /// The text for logs, without values of the program's.
  package let loggedMessage: String

  package init(_ message: String, logged loggedMessage: String? = nil) {
    self.message = message
    self.loggedMessage = loggedMessage ?? message
  }
}
