import StrataSchema

/// The tables from an object through its collections to a value, for a subselect.
///
/// Further links of an element are inner joins: an element with a nil link on the path has no
/// value.
struct ElementChain {
  /// The tables after `FROM`.
  private(set) var tables = ""
  /// The column of the first table that holds the owner.
  private(set) var ownerColumn = ""
  /// The identity of the owner, outside of the subselect.
  let owner: String
  /// The compared value; for an object, its identity.
  private(set) var value = SQLValue(sql: "NULL", type: .object, allowsNil: false)
  /// The alias of the current object, if its row is joined.
  private(set) var row: String?

  private var identity = ""
  private var queryClass: QueryClass?

  /// - Parameter elements: The class of the objects at the end, if their rows are needed in
  ///   addition to their identities.
  init(_ path: ResolvedPath, _ compiler: QueryCompiler, rowsOf elements: QueryClass? = nil) {
    guard path.leadsToElements else {
      (owner, ownerColumn, value) = ("1", "1", compiler.outerValue(path))
      takeNested(path.nested, compiler)
      return
    }
    let links = Array(path.steps.prefix(while: \.isLink))
    owner = compiler.scopes[path.depth].identity(after: links, compiler)
    for step in path.steps.dropFirst(links.count) { take(step, compiler) }
    take(path.target, path, compiler)
    takeNested(path.nested, compiler)
    guard elements != nil else { return }
    if row == nil, case .element = path.target {
      // The elements themselves are the objects.
      (identity, queryClass) = (value.sql, elements)
    }
    joinRow(compiler)
  }

  private mutating func begin(_ table: String, _ alias: String, owner column: String) {
    if tables.isEmpty {
      tables = "\(table) AS \(alias)"
      ownerColumn = "\(alias).\(column)"
    } else {
      tables += " JOIN \(table) AS \(alias) ON \(alias).\(column) = \(identity)"
    }
  }

  private mutating func take(_ step: ResolvedStep, _ compiler: QueryCompiler) {
    compiler.record(step.property)
    switch step {
    case .elements(let property, let target):
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "owner")
      (identity, row, queryClass) = ("\(alias).value", nil, target)
    case .owners(let property, let target, _) where property.property.collection != nil:
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "value")
      (identity, row, queryClass) = ("\(alias).owner", nil, target)
    case .owners(let property, let target, _):
      compiler.record(rowsOf: target)
      let alias = compiler.nextAlias("o")
      begin(target.table, alias, owner: property.column)
      (identity, row, queryClass) = ("\(alias).\(target.identity)", alias, target)
    case .link(let property, let target):
      let alias = joinRow(compiler)
      (identity, row, queryClass) = ("\(alias).\(property.column)", nil, target)
    }
  }

  private mutating func take(
    _ target: ResolvedTarget, _ path: ResolvedPath, _ compiler: QueryCompiler
  ) {
    value.type = path.type
    value.allowsNil = path.allowsNil
    switch target {
    case .property(let property):
      compiler.record(property)
      let alias = joinRow(compiler)
      value.sql = "\(alias).\(property.column)"
      value.typeSQL = property.typeColumn.map { "\(alias).\($0)" }
      value.setSearch(property, of: "\(alias).\(queryClass?.identity ?? "_id")")
    case .object, .value:
      value.sql = identity
    case .element(let property), .keys(let property):
      compiler.record(property)
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "owner")
      row = nil
      if case .keys = target {
        value.sql = "\(alias).key"
      } else {
        value.sql = "\(alias).value"
        value.typeSQL = property.type == .any ? "\(alias).value_type" : nil
      }
    case .mapValue(let property, let key):
      value = compiler.mapValue(property, key, of: identity)
    case .point(let type, let coordinates):
      let alias = joinRow(compiler)
      value = compiler.point(
        type, coordinates, "\(alias).\(type.column)",
        of: "\(alias).\(queryClass?.identity ?? "_id")")
    }
  }

  /// Follows the steps into a list or a dictionary of an `AnyRealmValue`.
  private mutating func takeNested(_ steps: [NestedStep], _ compiler: QueryCompiler) {
    guard steps.contains(.any) else {
      value = compiler.nested(value, steps)
      return
    }
    let all = compiler.allNested(value, steps)
    tables += tables.isEmpty ? all.table : " JOIN \(all.table)"
    value = all.value
  }

  /// Joins the row of the current object of the chain.
  @discardableResult
  private mutating func joinRow(_ compiler: QueryCompiler) -> String {
    if let row { return row }
    guard let queryClass else { return identity }
    let alias = compiler.nextAlias("e")
    tables +=
      " JOIN \(queryClass.table) AS \(alias) ON \(alias).\(queryClass.identity) = \(identity)"
    row = alias
    return alias
  }

  mutating func append(_ joins: String) { tables += joins }
}
