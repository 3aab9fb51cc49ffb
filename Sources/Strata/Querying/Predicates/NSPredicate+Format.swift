import StrataQuery

#if !canImport(Darwin)
  public import Foundation
  import StrataSchema

  extension NSPredicate {
    /// Makes a predicate of a format string, as Foundation does on Apple platforms.
    ///
    /// It is for `filter(_:)` of the collections of a realm, where the file answers it, and for
    /// `evaluate(with:)`, which answers it for one object or value in memory.
    ///
    /// ```swift
    /// let adults = NSPredicate(format: "age >= %@ AND name BEGINSWITH[c] %@", 18, "a")
    /// realm.objects(Person.self).filter(adults)
    /// ```
    ///
    /// A text that is no condition makes a predicate that finds nothing: `filter` says what is
    /// wrong with it, and `evaluate(with:)` reports it and gives false. A copy of the predicate is
    /// a block on Linux, which `filter` can't read: use the predicate itself.
    ///
    /// - Parameters:
    ///   - format: The condition.
    ///   - args: A value for each placeholder. `%@` takes any value, `%K` the name of a
    ///     property.
    public convenience init(format: String, _ args: Any...) {
      self.init(format: format, argumentArray: args)
    }

    /// Makes a predicate of a format string and a list of arguments: see `init(format:_:)`.
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
