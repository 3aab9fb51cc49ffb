extension Migration {
  /// The choice of the object that remains of several objects with the same value.
  public struct Survivor<Failure: Error> {
    let rule: SurvivorRule<String>
    let merge:
      ((_ survivor: MigrationObject, _ duplicates: [MigrationObject]) throws(Failure) -> Void)?
  }

  /// Makes the values of a class's primary key unique: keeps one of several objects with the same
  /// value, and deletes the others.
  ///
  /// ```swift
  /// migration.resolveDuplicates(ofType: "Person", keeping: .greatest("updatedAt"))
  /// ```
  ///
  /// Links to the deleted objects are redirected to the remaining one: in properties, in lists at
  /// the same positions, in sets, in maps and in an `AnyRealmValue`. Objects that are embedded in
  /// the deleted ones are deleted as well. Nil is a value: one of several objects with nil remains.
  ///
  /// The call includes everything that the block has written so far. Later writes of the block may
  /// create new duplicates; the key is checked after the block as usual. The call reads the class
  /// once in the order of the values, and takes additional time for each duplicate; memory stays
  /// flat. A class without a primary key, or a property that can't be one, fails the migration.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class of the program.
  ///   - property: The property whose values are to be unique; nil for the primary key of the class
  ///     in the program.
  ///   - survivor: The choice of the object that remains.
  /// - Returns: The duplicates that were found, and the numbers of deleted objects and redirected
  ///   links.
  /// - Throws: The error of the closure of ``Survivor/merging(_:)``.
  @discardableResult
  public func resolveDuplicates<Failure>(
    ofType typeName: String, property: String? = nil, keeping survivor: Survivor<Failure>
  ) throws(Failure) -> DuplicateResolution {
    try resolveDuplicates(typeName, property, survivor, nil)
  }

  /// Makes the values of a property unique among the objects that met a condition before the
  /// migration.
  ///
  /// ```swift
  /// migration.resolveDuplicates(
  ///   ofType: "Person", property: "email", keeping: .first, where: "email != nil")
  /// ```
  ///
  /// Other objects, and objects that the block has created, remain whatever their values are, and
  /// links are not redirected to them. The condition is evaluated on the file from before the
  /// migration; the values are the ones that the block has written so far. See
  /// ``enumerateObjects(ofType:where:_:block:)`` for the condition, and
  /// ``resolveDuplicates(ofType:property:keeping:)`` for the other rules.
  ///
  /// - Returns: The duplicates that were found, and the numbers of deleted objects and redirected
  ///   links.
  /// - Throws: The error of the closure of ``Survivor/merging(_:)``.
  @discardableResult
  public func resolveDuplicates<Failure>(
    ofType typeName: String, property: String? = nil, keeping survivor: Survivor<Failure>,
    where condition: String, _ arguments: Any...
  ) throws(Failure) -> DuplicateResolution {
    try resolveDuplicates(
      typeName, property, survivor, MigrationCondition(format: condition, arguments: arguments))
  }

  private func resolveDuplicates<Failure>(
    _ typeName: String, _ property: String?, _ survivor: Survivor<Failure>,
    _ condition: MigrationCondition?
  ) throws(Failure) -> DuplicateResolution {
    guard context.status.canWork(),
      let merge = context.status.attempt({
        try DuplicateMerge(context, typeName, property, survivor.rule, where: condition)
      })
    else { return DuplicateResolution() }
    return try merge.run(survivor.merge)
  }
}

extension Migration.Survivor where Failure == Never {
  /// Keeps the object that was added first.
  public static var first: Self { Self(rule: .first, merge: nil) }

  /// Keeps the object that was added last.
  public static var last: Self { Self(rule: .last, merge: nil) }

  /// Keeps the object with the greatest value of a property, in the sort order of `Results`: nil is
  /// smaller than any value. Among equal values, keeps the object that was added first.
  public static func greatest(_ property: String) -> Self {
    Self(rule: .greatest(property), merge: nil)
  }

  /// Keeps the object with the smallest value of a property, in the sort order of `Results`: nil is
  /// smaller than any value. Among equal values, keeps the object that was added first.
  public static func least(_ property: String) -> Self {
    Self(rule: .least(property), merge: nil)
  }
}

extension Migration.Survivor {
  /// Keeps the object that was added first, after a closure has merged values of the others into
  /// that object.
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
  /// the value, in the order in which they were added. The duplicates are deleted after the closure
  /// has been called for all values. A closure that deletes the survivor fails the migration.
  public static func merging(
    _ merge:
      @escaping (
        _ survivor: MigrationObject, _ duplicates: [MigrationObject]
      ) throws(Failure) -> Void
  ) -> Self {
    Self(rule: .first, merge: merge)
  }
}
