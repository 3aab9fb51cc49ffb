import StrataQuery
import StrataStorage

/// The conditions and orders of a prepared query: its SQL says them already, and most uses need no
/// more than that.
enum PreparedRequest: Sendable {
  /// All objects of the class.
  case all
  case condition(QueryPredicate)
  case conditions(PropertyConditions)
  /// Conditions and orders that are put together when they are asked for.
  case made(@Sendable () -> QueryRequest)

  /// - Parameter resolver: That of the shape of the condition.
  func request(_ resolver: ShapeResolver?) -> QueryRequest {
    switch self {
    case .all: return QueryRequest()
    case .made(let make): return make()
    case .condition(let predicate): return resolved(predicate, resolver)
    case .conditions(let conditions): return resolved(conditions.predicate, resolver)
    }
  }

  private func resolved(_ predicate: QueryPredicate, _ resolver: ShapeResolver?) -> QueryRequest {
    guard let resolver else { stopForProgrammerError("A prepared condition has no shape.") }
    do throws(PredicateProblem) {
      return try resolver.request(predicate)
    } catch {
      // Another condition of the same shape had no problem.
      stopForProgrammerError(error.message)
    }
  }
}

/// The class and its schema in which the conditions of a shape are resolved.
struct ShapeResolver: Sendable {
  let schema: QuerySchema
  let queryClass: QueryClass

  fileprivate func request(
    _ predicate: QueryPredicate
  ) throws(PredicateProblem) -> QueryRequest {
    var request = QueryRequest()
    request.add(try PredicateResolver(schema).resolve(predicate, ofObjects: queryClass))
    return request
  }
}
