extension Migration {
  /// Which of several objects with the same value stays.
  public struct Survivor<Failure: Error> {
    let choice: SurvivorChoice
    let merge:
      ((_ survivor: MigrationObject, _ duplicates: [MigrationObject]) throws(Failure) -> Void)?
  }

  /// Makes the values of a class's primary key unique: of several objects with the same value one
  /// stays, and the others are deleted.
  ///
  /// ```swift
  /// migration.resolveDuplicates(ofType: "Person", keeping: .greatest("updatedAt"))
  /// ```
  ///
  /// Links to the objects that go lead to the one that stays from then on, wherever they are: in
  /// properties, in lists at the same positions, in sets, in maps and in an `AnyRealmValue`. What
  /// is embedded in them goes with them. Nil is a value: of several objects without one, one stays.
  ///
  /// It sees what the block has written so far. What the block writes afterwards may make new
  /// duplicates, and the key is checked after the block as ever. It takes one pass over the class
  /// in the order of the values, and time for each duplicate; memory stays flat. A class without
  /// such a key, and a property that can't be one, fail the migration.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class of the program.
  ///   - property: The property whose values are to be unique; nil for the primary key that the
  ///     class has in the program.
  ///   - survivor: Which object stays.
  /// - Returns: What was done.
  /// - Throws: What the closure of ``Survivor/merging(_:)`` throws.
  @discardableResult
  public func resolveDuplicates<Failure>(
    ofType typeName: String, property: String? = nil, keeping survivor: Survivor<Failure>
  ) throws(Failure) -> DuplicateResolution {
    try context.resolveDuplicates(of: typeName, property, keeping: survivor)
  }
}

extension Migration.Survivor where Failure == Never {
  /// The object that was added first.
  public static var first: Self { Self(choice: .first, merge: nil) }

  /// The object that was added last.
  public static var last: Self { Self(choice: .last, merge: nil) }

  /// The object with the greatest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func greatest(_ property: String) -> Self {
    Self(choice: .greatest(property), merge: nil)
  }

  /// The object with the smallest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func least(_ property: String) -> Self {
    Self(choice: .least(property), merge: nil)
  }
}

extension Migration.Survivor {
  /// The object that was added first, after a closure has had the chance to give it values of the
  /// others.
  ///
  /// ```swift
  /// migration.resolveDuplicates(
  ///   ofType: "Person",
  ///   keeping: .merging { survivor, duplicates in
  ///     for duplicate in duplicates where survivor["email"] == nil {
  ///       survivor["email"] = duplicate["email"]
  ///     }
  ///   })
  /// ```
  ///
  /// The closure is called for each value that occurs more than once, with all objects that have
  /// it, in the order in which they were added. The duplicates are deleted when it was called for
  /// all values; a closure that deletes the survivor fails the migration.
  public static func merging(
    _ merge:
      @escaping (
        _ survivor: MigrationObject, _ duplicates: [MigrationObject]
      ) throws(Failure) -> Void
  ) -> Self {
    Self(choice: .first, merge: merge)
  }
}

/// Which of several objects stays, with the names of properties.
enum SurvivorChoice {
  case first, last
  case greatest(String)
  case least(String)
}

/// What ``Migration/resolveDuplicates(ofType:property:keeping:)`` has done.
public struct DuplicateResolution: Sendable, Hashable {
  /// A value that several objects had.
  public struct Group: Sendable, Hashable {
    /// The value, as the file has it.
    public internal(set) var value: StoredValue
    /// The identity of the object that stayed.
    public internal(set) var survivor: Int64
    /// The identities of the objects that were deleted, the first ``DuplicateResolution/limit``.
    public internal(set) var removed: [Int64]
  }

  /// The number of groups that ``groups`` lists at most, and of objects that a group lists.
  public static let limit = 100

  /// The number of values that several objects had.
  public internal(set) var groupCount = 0
  /// The number of objects that were deleted.
  public internal(set) var removedCount = 0
  /// The number of links that lead to another object now.
  public internal(set) var movedLinkCount = 0
  /// The values and their objects, in the order of their first objects: the first ``limit``.
  public internal(set) var groups: [Group] = []
}
