/// A value that is kept as an embedded object of its own: equal is what has equal members.
package struct QueryMembers: Sendable, Hashable {
  package let className: String
  /// The values of the members, by their columns; none of links and collections, which can't be
  /// compared.
  package let values: [String: QueryValue]

  package init(className: String, values: [String: QueryValue]) {
    self.className = className
    self.values = values
  }
}
