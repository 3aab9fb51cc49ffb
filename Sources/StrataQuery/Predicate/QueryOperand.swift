import StrataSchema

/// A side of a comparison.
package indirect enum QueryOperand: Sendable, Hashable {
  case path(QueryPath)
  case value(QueryValue)
  case list([QueryValue])
  /// The number of elements for which a condition is true: `SUBQUERY(dogs, $d, …).@count`.
  case subquery(QuerySubquery)
}

/// A path from an object through its properties: `dog.owner.name`, `dogs.@avg.age`, `$d.name`.
///
/// Without parts it is the object or the element itself: `SELF`, or the variable.
package struct QueryPath: Sendable, Hashable {
  /// The variable of a subquery, without `$`; nil for the object of the query.
  package var variable: String?
  package var parts: [QueryPart]

  package init(_ parts: [QueryPart], variable: String? = nil) {
    self.parts = parts
    self.variable = variable
  }

  /// Creates a path of names only.
  package init(names: [String], variable: String? = nil) {
    self.init(names.map { .property($0) }, variable: variable)
  }
}

/// One step of a path.
package enum QueryPart: Sendable, Hashable {
  /// A property, by its Swift name or by its column's name.
  case property(String)
  /// An operation on the elements of the previous collection: `@count`, `@avg`. For objects, the
  /// property to aggregate comes next: `dogs.@avg.age`.
  case operation(QueryAggregate)
  /// The keys of the previous map: `@allKeys`.
  case keys
  /// The values of the previous map: `@allValues`.
  case values
  /// The value of a key of the previous map, or of a dictionary in an `AnyRealmValue`:
  /// `map['key']`.
  case key(String)
  /// The element of a list in an `AnyRealmValue`: `note[0]`.
  case index(Int)
  /// Each element of a list, or each value of a dictionary, in an `AnyRealmValue`: `note[ANY]`.
  case any
  /// An inexpressible part; resolving it throws the problem.
  case invalid(PredicateProblem)
}

/// An operation on all elements of a collection. The raw value is its spelling in format strings.
package enum QueryAggregate: String, Sendable, Hashable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

/// The elements of a collection for which a condition is true.
package struct QuerySubquery: Sendable, Hashable {
  /// The collection.
  package var collection: QueryPath
  /// The name of an element in the condition, without `$`.
  package var variable: String
  package var predicate: QueryPredicate

  package init(_ collection: QueryPath, _ variable: String, _ predicate: QueryPredicate) {
    self.collection = collection
    self.variable = variable
    self.predicate = predicate
  }
}
