package import StrataQuery
import StrataSchema

/// A query for objects of a class: a condition in the language of `NSPredicate`, and an order.
///
/// ```swift
/// let question = Question("Person", where: "age > 3", sort: [.init("age", ascending: false)])
/// let sql = try question.compiled(schema)
/// ```
package struct Question: Hashable, Sendable {
  /// A property to sort by.
  package struct SortKey: Hashable, Sendable {
    package var path: String
    package var ascending: Bool

    package init(_ path: String, ascending: Bool) {
      self.path = path
      self.ascending = ascending
    }

    /// - Parameter text: A path, with `-` in front for descending.
    package init(marked text: String) {
      ascending = !text.hasPrefix("-")
      path = ascending ? text : String(text.dropFirst())
    }
  }

  package var className: String
  /// The condition; empty for all objects.
  package var condition: String
  package var sort: [SortKey]

  package init(_ className: String, where condition: String = "", sort: [SortKey] = []) {
    self.className = className
    self.condition = condition
    self.sort = sort
  }

  /// Whether there is no condition.
  var isAboutAll: Bool { condition.allSatisfy(\.isWhitespace) }

  /// The query with resolved names and types.
  ///
  /// - Throws: ``RequestFailure`` with status 400, code `condition` and the column of the mistake;
  ///   with status 404 if the class doesn't exist.
  package func request(_ schema: StudioSchema) throws(RequestFailure) -> QueryRequest {
    let queryClass = try queryClass(schema)
    do throws(PredicateProblem) {
      var request = QueryRequest()
      if !isAboutAll {
        let predicate = try QueryFormat.parse(condition)
        request.add(
          try PredicateResolver(schema.queries).resolve(predicate, ofObjects: queryClass))
      }
      if !sort.isEmpty {
        let resolver = OrderPathResolver(schema.queries, verb: "sort")
        var keys: [QuerySortKey] = []
        for key in sort {
          keys.append(
            QuerySortKey(
              try resolver.resolve(key.path, of: queryClass), ascending: key.ascending))
        }
        request.add(.sort(keys))
      }
      try request.checkSize(base(queryClass))
      try request.checkDepth()
      return request
    } catch {
      throw .condition(error, in: condition)
    }
  }

  /// The query as SQL with the table alias `t`.
  package func compiled(_ schema: StudioSchema) throws(RequestFailure) -> QuerySQL {
    try request(schema).compiled(for: base(try queryClass(schema)))
  }

  private func queryClass(_ schema: StudioSchema) throws(RequestFailure) -> QueryClass {
    _ = try schema.objectSchema(className)
    guard let found = schema.queries[className] else {
      throw .gone("The file has no class '\(PlainText.of(className))'. Load the page again.")
    }
    return found
  }

  private func base(_ queryClass: QueryClass) -> QueryBase {
    let identity = "t.\(queryClass.identity)"
    return QueryBase(
      queryClass, tables: "\(queryClass.table) AS t", rowKey: identity, order: identity,
      isByIdentity: true)
  }
}

extension RequestFailure {
  static func condition(_ problem: PredicateProblem, in text: String) -> RequestFailure {
    RequestFailure(
      .badRequest, "condition", problem.message,
      details: [
        .init("column", .optional(QueryFormat.column(of: problem, in: text)) { .int($0) })
      ])
  }
}
