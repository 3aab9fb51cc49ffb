import StrataQuery
import StrataStorage

/// A condition on a class's old objects, in the language of format strings.
///
/// The condition is evaluated on the file from before the migration, whatever the block has changed
/// since.
struct MigrationCondition {
  let format: String
  let arguments: [Any]

  /// Returns the query for the old rows of a class, in the order of their identities.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a condition that isn't valid for the class in
  ///   the file.
  func query(of table: MigrationTable) throws(RealmError) -> QuerySQL {
    let schema = table.context.classes.oldQuerySchema
    guard let queryClass = schema[table.schema.className] else {
      return QuerySQL(
        tables: "\(table.name) AS t", condition: "0", order: "t.\(table.identity)", parameters: [])
    }
    do throws(PredicateProblem) {
      var request = QueryRequest()
      request.add(try PredicateResolver(schema).resolve(predicate(), ofObjects: queryClass))
      let identity = "t.\(queryClass.identity)"
      return request.compiled(
        for: QueryBase(
          queryClass, tables: "\(queryClass.table) AS t", rowKey: identity, order: identity,
          isByIdentity: true))
    } catch {
      throw RealmError(error, of: table.schema.className, table.context.new.oldVersion)
    }
  }

  private func predicate() throws(PredicateProblem) -> QueryPredicate {
    var operands: [QueryOperand] = []
    for argument in arguments {
      let operand = QueryOperand(argument: argument)
      guard !operand.hasObject else { throw .objectInMigration }
      operands.append(operand)
    }
    return try QueryFormat.parse(format, operands)
  }
}

extension QueryOperand {
  /// Whether the operand is or contains an object of a realm or a migration.
  fileprivate var hasObject: Bool {
    switch self {
    case .value(let value): value.isObject
    case .list(let values): values.contains(where: \.isObject)
    case .path, .subquery: false
    }
  }
}

extension QueryValue {
  fileprivate var isObject: Bool {
    switch self {
    case .object: true
    case .unsupported(let name): name == "\(DynamicObject.self)"
    default: false
    }
  }
}

extension PredicateProblem {
  /// The objects in a block are new ones, or become invalid with the row of a loop.
  fileprivate static let objectInMigration = PredicateProblem(
    "An object can't be an argument of a condition in a migration. Compare one of its properties "
      + "instead, as in \"dog.name == %@\".")
}

extension RealmError {
  fileprivate init(_ problem: PredicateProblem, of className: String, _ version: UInt64?) {
    let location =
      " (A condition for the old objects of '\(className)', which have the names and types of "
      + "version \(version ?? 0).)"
    self.init(.fail, problem.message + location, logged: problem.loggedMessage + location)
  }
}
