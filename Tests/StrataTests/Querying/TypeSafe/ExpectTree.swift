import StrataQuery
import StrataSchema
import TestKit
import Testing

@testable import Strata

/// Expects that a closure of `where` means a condition, which the schema allows unless it holds a
/// problem.
func expectTree(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: (Query<Q.Person>) -> Query<Bool>
) {
  expectTree(text, of: Q.Person.self, sourceLocation: sourceLocation, condition)
}

func expectTree<Element: RealmCollectionValue>(
  _ text: String, of type: Element.Type, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: (Query<Element>) -> Query<Bool>
) {
  let predicate = condition(Query<Element>()).content.predicate
  expectEqual(predicate.description, text, sourceLocation: sourceLocation)
  guard !text.hasPrefix("<"), !text.contains("<A key path") else { return }
  #expect(throws: Never.self, sourceLocation: sourceLocation) {
    try resolve(predicate, of: type)
  }
}

/// Checks a condition against the schema of ``Q``.
@discardableResult
func resolve<Element: RealmCollectionValue>(
  _ predicate: QueryPredicate, of _: Element.Type
) throws -> ResolvedPredicate {
  let schema = QuerySchema(Schema(try Q.types.map { try ClassInfo.of($0).objectSchema }))
  let resolver = PredicateResolver(schema)
  guard let type = Element._elementClass else {
    return try resolver.resolve(
      predicate, ofValues: Element._elementType, allowsNil: Element._elementIsOptional)
  }
  return try resolver.resolve(
    predicate, ofObjects: try #require(schema[type.className()]))
}
