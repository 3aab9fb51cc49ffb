import StrataQuery

#if !canImport(Darwin)
  public import Foundation
  import StrataSchema

  extension NSPredicate {
    /// Creates a predicate from a format string, as Foundation does on Apple platforms.
    ///
    /// Use the predicate with `filter(_:)` of a realm's collections, which runs in SQLite, or with
    /// `evaluate(with:)`, which runs in memory for one object or value.
    ///
    /// ```swift
    /// let adults = NSPredicate(format: "age >= %@ AND name BEGINSWITH[c] %@", 18, "a")
    /// realm.objects(Person.self).filter(adults)
    /// ```
    ///
    /// An invalid format creates a predicate that finds nothing: `filter` reports the problem, and
    /// `evaluate(with:)` reports it and returns false. A copy of the predicate is a plain block on
    /// Linux, which `filter` can't read: use the predicate itself.
    ///
    /// - Parameters:
    ///   - format: The condition.
    ///   - args: A value for each placeholder. `%@` takes any value, `%K` the name of a
    ///     property.
    public convenience init(format: String, _ args: Any...) {
      self.init(format: format, argumentArray: args)
    }

    /// Creates a predicate from a format string and a list of arguments: see `init(format:_:)`.
    ///
    /// ```swift
    /// NSPredicate(format: "%K == %@", argumentArray: ["name", "Ada"])
    /// ```
    ///
    /// - Parameters:
    ///   - format: The condition.
    ///   - arguments: A value for each placeholder; nil is an empty list.
    public convenience init(format: String, argumentArray arguments: [Any]?) {
      let memory = MemoryPredicate(QueryPredicate(format: format, arguments: arguments ?? []))
      self.init(block: { object, _ in memory.isTrue(for: object) })
      FormatPredicates.remember(self, memory)
    }
  }
#endif
