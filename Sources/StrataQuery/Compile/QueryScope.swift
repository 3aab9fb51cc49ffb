/// The rows of one table in a statement, and the tables that are joined by single links.
///
/// A path of single links is a `LEFT JOIN`, shared by all its uses: a nil link results in NULL.
final class QueryScope {
  let alias: String
  let queryClass: QueryClass
  /// The joined tables, by the links that lead to them.
  private var aliases: [(links: [QueryProperty], name: String)] = []
  private(set) var joins: [String] = []
  /// SQLite joins at most 64 tables. In a subquery, these include the tables of the collection's
  /// path.
  private static let maxJoins = 30

  init(_ alias: String, _ queryClass: QueryClass) {
    self.alias = alias
    self.queryClass = queryClass
  }

  var identity: String { "\(alias).\(queryClass.identity)" }

  /// Returns some of the joins as text, to be appended to the other tables.
  func joinText(from first: Int = 0, upTo end: Int = .max) -> String {
    joins.prefix(end).dropFirst(first).joined()
  }

  /// Returns a column of the object at the end of some links.
  func column(
    _ column: String, after links: [ResolvedStep], _ compiler: QueryCompiler
  ) -> String {
    guard let last = links.last, case .link(let property, let target) = last else {
      return "\(alias).\(column)"
    }
    let path = links.map(\.property)
    if let known = aliases.first(where: { $0.links == path }) { return "\(known.name).\(column)" }
    let known = aliases.map(\.links).filter(path.starts).map(\.count).max() ?? 0
    guard joins.count + path.count - known <= Self.maxJoins else {
      return subselect(column, after: links, known: known, compiler)
    }
    compiler.record(property)
    let link = self.column(property.column, after: Array(links.dropLast()), compiler)
    let joined = compiler.nextAlias("j")
    aliases.append((path, joined))
    joins.append(
      " LEFT JOIN \(target.table) AS \(joined) ON \(joined).\(target.identity) = \(link)")
    return "\(joined).\(column)"
  }

  /// Returns the column without a join of this scope, for a statement that has many joins.
  ///
  /// - Parameter known: The number of links that are joined already.
  private func subselect(
    _ column: String, after links: [ResolvedStep], known: Int, _ compiler: QueryCompiler
  ) -> String {
    var tables = ""
    var end = alias
    var start = ""
    for (index, link) in links.enumerated().dropFirst(known) {
      compiler.record(link.property)
      let name = compiler.nextAlias("s")
      if tables.isEmpty {
        let before = Array(links.prefix(index))
        tables = "\(link.target.table) AS \(name)"
        start =
          "\(name).\(link.target.identity) = "
          + self.column(link.property.column, after: before, compiler)
      } else {
        tables += " JOIN \(link.target.table) AS \(name) "
        tables += "ON \(name).\(link.target.identity) = \(end).\(link.property.column)"
      }
      end = name
    }
    return "(SELECT \(end).\(column) FROM \(tables) WHERE \(start))"
  }

  /// Returns the identity of the object at the end of some links. The last link needs no join.
  func identity(after links: [ResolvedStep], _ compiler: QueryCompiler) -> String {
    guard let last = links.last else { return identity }
    compiler.record(last.property)
    return column(last.property.column, after: Array(links.dropLast()), compiler)
  }
}

extension ResolvedStep {
  /// The property of the step, in either direction.
  var property: QueryProperty {
    switch self {
    case .link(let property, _), .elements(let property, _), .owners(let property, _, _): property
    }
  }
}
