public import Foundation
import StrataQuery
import StrataStorage

extension RealmCollection {
  /// Returns the elements that meet a condition in the language of `NSPredicate`.
  ///
  /// SQLite evaluates the condition when the results are read; the results are live. `and`, `or`,
  /// `not` and parentheses combine comparisons of properties, which may be reached through links
  /// and collections:
  ///
  /// ```swift
  /// people.filter("age >= %@ AND name BEGINSWITH[c] %@", 18, "a")
  /// people.filter("dog.name == 'Rex' OR ANY dogs.age IN %@", [3, 4])
  /// people.filter("SUBQUERY(dogs, $dog, $dog.age > 3 AND $dog.name != nil).@count > 1")
  /// ```
  ///
  /// A syntax error, an unknown property, or a value of the wrong type is an error, and the results
  /// are empty. Inside of `write`, the transaction throws the error; elsewhere it is reported. For
  /// text that users enter, use ``filter(validating:_:)``.
  ///
  /// - Parameters:
  ///   - predicateFormat: The condition.
  ///   - args: A value for each placeholder: `%@` takes a value or a sequence, `%K` the name of a
  ///     property. Pass an optional, or a sequence of type `[Any]`, with `as Any`.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    _filter(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// Returns the elements that meet a condition, and throws if the condition is invalid. Use this
  /// method for text that users enter.
  ///
  /// Like ``filter(_:_:)``, except for the error:
  ///
  /// ```swift
  /// do {
  ///   shown = try people.filter(validating: field.text)
  /// } catch {
  ///   message = error.message
  /// }
  /// ```
  ///
  /// - Throws: ``RealmError`` with code `fail`. Its message has the problem, its position and a
  ///   correction.
  public func filter(
    validating predicateFormat: String, _ args: Any...
  ) throws(RealmError) -> Results<Element> {
    try _results.filtered(by: QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// Returns the elements that meet one of Foundation's predicates.
  ///
  /// ```swift
  /// people.filter(#Predicate { $0.age >= 18 && $0.dogs.contains { $0.name == "Rex" } })
  /// ```
  ///
  /// The rules of all conditions apply: a property behind a nil link is nil, and no string contains
  /// the empty string. Expressions that SQLite can't evaluate, such as arithmetic and computed
  /// properties, are errors, and the results are empty. Inside of `write`, the transaction throws
  /// the error; elsewhere it is reported.
  public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
    _filter(QueryPredicate(predicate))
  }

  /// Returns the position of the first element that meets a condition, or nil.
  ///
  /// ```swift
  /// let position = people.index(matching: "name == %@", "Ada")
  /// ```
  ///
  /// An invalid condition is handled as in ``filter(_:_:)``, and the result is nil.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    position(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// Returns the position of the first element that meets a predicate, or nil.
  ///
  /// A predicate with a block is an error, as for `filter`, and the result is nil.
  public func index(matching predicate: NSPredicate) -> Int? {
    position(QueryPredicate(predicate))
  }

  private func position(_ condition: QueryPredicate) -> Int? {
    _choices._filter(condition).first.flatMap { index(of: $0) }
  }
}

extension Map {
  /// Returns the values that meet a condition in the language of `NSPredicate`, in the order of
  /// their keys.
  ///
  /// ```swift
  /// person.dogsByName.filter("age > %@", 3)
  /// person.scores.filter("SELF BETWEEN {1, 5}")
  /// ```
  ///
  /// An invalid condition finds nothing. Inside of `write`, the transaction throws the error;
  /// elsewhere it is reported.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    _filter(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// Returns the values that meet one of Foundation's predicates, in the order of their keys.
  ///
  /// An expression that SQLite can't evaluate is an error. Inside of `write`, the transaction
  /// throws the error; elsewhere it is reported.
  public func filter(_ predicate: Foundation.Predicate<Value>) -> Results<Value> {
    _filter(QueryPredicate(predicate))
  }
}

extension _QueryableCollection {
  /// Returns the elements that meet a predicate.
  ///
  /// ```swift
  /// let adults = NSPredicate(format: "age >= %@", 18)
  /// let named = NSPredicate(format: "name != ''")
  /// people.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [adults, named]))
  /// ```
  ///
  /// Predicates with a format string, compound and constant predicates are supported. A predicate
  /// with a block is an error, and the results are empty. Inside of `write`, the transaction throws
  /// the error; elsewhere it is reported. Instead of a block, use Swift's `filter { … }`, which
  /// reads all elements.
  public func filter(_ predicate: NSPredicate) -> Results<_Value> {
    _filter(QueryPredicate(predicate))
  }
}
