import StrataQuery

#if !canImport(Darwin)
  public import Foundation
  import StrataSchema
  import StrataStorage
  import Synchronization

  /// The conditions of predicates that were created from format strings. An entry lives as long as
  /// its predicate, because a condition may retain objects and their realm.
  ///
  /// On Linux a predicate is a block and can't be inspected. The block is never called to find its
  /// condition, because it may be one of the program's own that expects objects of a certain class.
  enum FormatPredicates {
    private struct Entry: Sendable {
      let predicate: WeakReference<NSPredicate>
      /// Retained only by the predicate's block.
      let memory: WeakReference<MemoryPredicate>
    }

    private struct Entries {
      var known: [ObjectIdentifier: Entry] = [:]
      /// The number of entries above which entries of released predicates are removed.
      var limit = 64
    }

    private static let entries = Mutex(Entries())

    static func remember(_ predicate: NSPredicate, _ memory: MemoryPredicate) {
      let identifier = ObjectIdentifier(predicate)
      let entry = Entry(predicate: WeakReference(predicate), memory: WeakReference(memory))
      let living = entries.withLock { entries -> [NSPredicate] in
        entries.known[identifier] = entry
        guard entries.known.count > entries.limit else { return [] }
        var living: [NSPredicate] = []
        entries.known = entries.known.filter { _, entry in
          guard let predicate = entry.predicate.object else { return false }
          living.append(predicate)
          return true
        }
        entries.limit = max(64, living.count * 2)
        return living
      }
      // Outside of the lock, because releasing a condition's content may need the lock.
      withExtendedLifetime(living) {}
    }

    /// Returns the condition of a predicate; nil for one that wasn't created from a format string.
    static func condition(of predicate: NSPredicate) -> QueryPredicate? {
      let identifier = ObjectIdentifier(predicate)
      guard let entry = entries.withLock({ $0.known[identifier] }),
        // The address may have belonged to an earlier predicate that was released.
        entry.predicate.object === predicate
      else { return nil }
      return entry.memory.object?.condition
    }

    /// The number of entries, including some of released predicates.
    static var count: Int { entries.withLock { $0.known.count } }
  }

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
