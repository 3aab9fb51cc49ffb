/// The rows of one table in a statement, and the tables that are joined to it by single links.
///
/// A path of single links is a `LEFT JOIN`, shared by all that use it: a nil link gives NULL.
final class QueryScope {
  let alias: String
  let queryClass: QueryClass
  /// The tables that are joined, by the links that lead to them.
  private var aliases: [(links: [QueryProperty], name: String)] = []
  private(set) var joins: [String] = []
  /// SQLite joins at most 64 tables.
  private static let mostJoins = 56

  init(_ alias: String, _ queryClass: QueryClass) {
    self.alias = alias
    self.queryClass = queryClass
  }

  var identity: String { "\(alias).\(queryClass.identity)" }

  /// Some of the joins, as they follow the other tables.
  func joinText(from first: Int = 0, upTo end: Int = .max) -> String {
    joins.prefix(end).dropFirst(first).joined()
  }

  /// A column of the object at the end of some links.
  func column(
    _ column: String, after links: [ResolvedStep], _ compiler: QueryCompiler
  ) -> String {
    guard let last = links.last, case .link(let property, let target) = last else {
      return "\(alias).\(column)"
    }
    let path = links.map(\.property)
    if let known = aliases.first(where: { $0.links == path }) { return "\(known.name).\(column)" }
    compiler.note(property)
    let link = self.column(property.column, after: Array(links.dropLast()), compiler)
    guard joins.count < Self.mostJoins else {
      let alias = compiler.nextAlias("s")
      return """
        (SELECT \(alias).\(column) FROM \(target.table) AS \(alias) \
        WHERE \(alias).\(target.identity) = \(link))
        """
    }
    let joined = compiler.nextAlias("j")
    aliases.append((path, joined))
    joins.append(
      " LEFT JOIN \(target.table) AS \(joined) ON \(joined).\(target.identity) = \(link)")
    return "\(joined).\(column)"
  }

  /// The identity of the object at the end of some links; the last of them needs no join.
  func identity(after links: [ResolvedStep], _ compiler: QueryCompiler) -> String {
    guard let last = links.last else { return identity }
    compiler.note(last.property)
    return column(last.property.column, after: Array(links.dropLast()), compiler)
  }
}

extension ResolvedStep {
  /// The property that the step follows, here or backwards.
  var property: QueryProperty {
    switch self {
    case .link(let property, _), .elements(let property, _), .owners(let property, _, _): property
    }
  }
}
