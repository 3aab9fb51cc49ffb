public import Foundation
import StrataQuery
import StrataStorage

extension RealmCollection {
  /// The elements for which a condition in the language of `NSPredicate` is true.
  ///
  /// The file finds them, when they are asked for; the results are live. `and`, `or`, `not` and
  /// parentheses combine comparisons of properties, which may be behind links and collections:
  ///
  /// ```swift
  /// people.filter("age >= %@ AND name BEGINSWITH[c] %@", 18, "a")
  /// people.filter("dog.name == 'Rex' OR ANY dogs.age IN %@", [3, 4])
  /// people.filter("SUBQUERY(dogs, $dog, $dog.age > 3 AND $dog.name != nil).@count > 1")
  /// ```
  ///
  /// A mistake in the text, a property that doesn't exist, or a value that doesn't fit, finds
  /// nothing and says what is wrong: `write` throws it, anywhere else it is reported. Text that
  /// users type in belongs to ``filter(validating:_:)``.
  ///
  /// - Parameters:
  ///   - predicateFormat: The condition.
  ///   - args: A value for each placeholder: `%@` takes a value or a sequence, `%K` the name of a
  ///     property. An optional, and a sequence of type `[Any]`, is given with `as Any`.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    _filter(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// The elements for which a condition is true that may have mistakes, such as one that a user has
  /// typed in.
  ///
  /// Like ``filter(_:_:)``, but a mistake is thrown:
  ///
  /// ```swift
  /// do {
  ///   shown = try people.filter(validating: field.text)
  /// } catch {
  ///   message = error.message
  /// }
  /// ```
  ///
  /// - Throws: ``RealmError`` with code `fail`, what is wrong, where, and the repair.
  public func filter(
    validating predicateFormat: String, _ args: Any...
  ) throws(RealmError) -> Results<Element> {
    try _results.filtered(by: QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// The elements for which a predicate is true.
  ///
  /// ```swift
  /// let adults = NSPredicate(format: "age >= %@", 18)
  /// let named = NSPredicate(format: "name != ''")
  /// people.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [adults, named]))
  /// ```
  ///
  /// Predicates of a format string, compounds of them, and constant ones can be asked of a file.
  /// One with a block can't, and is a mistake: `write` throws it, anywhere else it is reported, and
  /// nothing is found. For a block, use Swift's `filter { … }`, which reads all elements.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    _filter(QueryPredicate(predicate))
  }

  /// The elements for which one of Foundation's predicates is true.
  ///
  /// ```swift
  /// people.filter(#Predicate { $0.age >= 18 && $0.dogs.contains { $0.name == "Rex" } })
  /// ```
  ///
  /// The rules are those of all conditions: a property behind a nil link is nil, and a text
  /// contains no empty one. What the file can't compute, such as arithmetic and computed
  /// properties, is a mistake: `write` throws it, anywhere else it is reported, and nothing is
  /// found.
  public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
    _filter(QueryPredicate(predicate))
  }

  /// The position of the first element for which a condition is true; nil if there is none.
  ///
  /// ```swift
  /// let position = people.index(matching: "name == %@", "Ada")
  /// ```
  ///
  /// A mistake is that of ``filter(_:_:)``, and the result is nil.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    position(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// The position of the first element for which a predicate is true; nil if there is none.
  ///
  /// A block is a mistake, as for `filter`, and the result is nil.
  public func index(matching predicate: NSPredicate) -> Int? {
    position(QueryPredicate(predicate))
  }

  private func position(_ condition: QueryPredicate) -> Int? {
    _choices._filter(condition).first.flatMap { index(of: $0) }
  }
}

extension Map {
  /// The values for which a condition in the language of `NSPredicate` is true, in the order of
  /// their keys.
  ///
  /// ```swift
  /// person.dogsByName.filter("age > %@", 3)
  /// person.scores.filter("SELF BETWEEN {1, 5}")
  /// ```
  ///
  /// A mistake finds nothing: `write` throws it, anywhere else it is reported.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    results._filter(QueryPredicate(format: predicateFormat, arguments: args))
  }

  /// The values for which a predicate is true, in the order of their keys.
  ///
  /// A block is a mistake: `write` throws it, anywhere else it is reported.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    results._filter(QueryPredicate(predicate))
  }

  /// The values for which one of Foundation's predicates is true, in the order of their keys.
  ///
  /// What the file can't compute is a mistake: `write` throws it, anywhere else it is reported.
  public func filter(_ predicate: Foundation.Predicate<Value>) -> Results<Value> {
    results._filter(QueryPredicate(predicate))
  }
}
