import StrataQuery

#if !canImport(Darwin)
  import Foundation
  import StrataSchema
  import StrataStorage
  import Synchronization

  /// The conditions of predicates that were made of format strings, for as long as the predicates
  /// are there: a condition may hold objects, and with them their realm.
  ///
  /// On Linux a predicate is a block, which says nothing of what it does. It is never called to
  /// find out: it may be one of the program's own, which expects objects of a certain class.
  enum FormatPredicates {
    private struct Entry: Sendable {
      let predicate: WeakReference<NSPredicate>
      /// The block of the predicate keeps it, and nothing else does.
      let memory: WeakReference<MemoryPredicate>
    }

    private struct Entries {
      var known: [ObjectIdentifier: Entry] = [:]
      /// When so many are known, those whose predicate is gone are removed.
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
      // Outside of the lock: the end of what a condition holds may need it.
      withExtendedLifetime(living) {}
    }

    /// The condition of a predicate; nil for one that was made in another way.
    static func condition(of predicate: NSPredicate) -> QueryPredicate? {
      let identifier = ObjectIdentifier(predicate)
      guard let entry = entries.withLock({ $0.known[identifier] }),
        // The address may be that of an earlier predicate, which is gone.
        entry.predicate.object === predicate
      else { return nil }
      return entry.memory.object?.condition
    }

    /// How many predicates are remembered, with some of those that are gone.
    static var count: Int { entries.withLock { $0.known.count } }
  }
#endif
