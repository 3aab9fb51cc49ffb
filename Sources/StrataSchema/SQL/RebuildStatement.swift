/// One statement of a table rebuild.
package struct RebuildStatement: Sendable, Hashable {
  /// The step of https://www.sqlite.org/lang_altertable.html#otheralter that it obeys.
  package var step: Int
  /// The statement.
  package var sql: String

  /// Creates a statement.
  package init(step: Int, sql: String) {
    self.step = step
    self.sql = sql
  }
}
