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
