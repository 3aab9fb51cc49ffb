import StrataSchema

/// A side of a comparison.
package indirect enum QueryOperand: Sendable, Hashable {
  case path(QueryPath)
  case value(QueryValue)
  case list([QueryValue])
  /// The number of elements for which a condition is true: `SUBQUERY(dogs, $d, …).@count`.
  case subquery(QuerySubquery)
}

/// A way from an object through its properties: `dog.owner.name`, `dogs.@avg.age`, `$d.name`.
///
/// Without parts it is the object or the element itself: `SELF`, or the variable.
package struct QueryPath: Sendable, Hashable {
  /// The variable of a subquery, without `$`; nil for the object that is asked about.
  package var variable: String?
  package var parts: [QueryPart]

  package init(_ parts: [QueryPart], variable: String? = nil) {
    self.parts = parts
    self.variable = variable
  }

  /// A path of names alone.
  package init(names: [String], variable: String? = nil) {
    self.init(names.map { .property($0) }, variable: variable)
  }
}

/// One step of a path.
package enum QueryPart: Sendable, Hashable {
  /// A property, by its name in Swift or that of its column.
  case property(String)
  /// An operation on the elements of the collection before it: `@count`, `@avg`. Of objects, the
  /// property to compute with comes after it: `dogs.@avg.age`.
  case operation(QueryAggregate)
  /// The keys of the map before it: `@allKeys`.
  case keys
  /// The values of the map before it: `@allValues`.
  case values
  /// The value of a key of the map before it, or of a dictionary in an `AnyRealmValue`:
  /// `map['key']`.
  case key(String)
  /// The element of a list in an `AnyRealmValue`: `note[0]`.
  case index(Int)
  /// Each element of a list, or each value of a dictionary, in an `AnyRealmValue`: `note[ANY]`.
  case any
  /// What could not be expressed; resolving it throws the problem.
  case invalid(PredicateProblem)
}

/// An operation on all elements of a collection; the raw value is how format strings spell it.
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

/// A constant of the types that programs compare most, as a column of the same type keeps it.
enum UsualConstant: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)

  /// Nil for values of other types, and for numbers that are compared in another way than all
  /// others.
  init?(_ value: QueryValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .int(let number): self = .integer(number)
    case .double(let number) where number.isFinite: self = .real(number)
    case .bool(let value): self = .bool(value)
    default: return nil
    }
  }

  var type: PropertyType {
    switch self {
    case .text: .string
    case .integer: .int
    case .real: .double
    case .bool: .bool
    }
  }

  /// The parameter of a statement.
  var stored: StoredValue {
    switch self {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .bool(let value): .integer(value ? 1 : 0)
    }
  }

  /// The value in a tree.
  var value: QueryValue {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .bool(let value): .bool(value)
    }
  }
}
