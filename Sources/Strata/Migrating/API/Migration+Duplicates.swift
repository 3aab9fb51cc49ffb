extension Migration {
  /// The one of several objects with the same value that stays.
  public struct Survivor<Failure: Error> {
    let rule: SurvivorRule<String>
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
    try resolveDuplicates(typeName, property, survivor, nil)
  }

  /// Makes the values of a property unique among the objects for which a condition was true before
  /// the migration.
  ///
  /// ```swift
  /// migration.resolveDuplicates(
  ///   ofType: "Person", property: "email", keeping: .first, where: "email != nil")
  /// ```
  ///
  /// Objects for which it was not true stay, whatever their values are, and take no links; so do
  /// those that the block has created. The condition sees the file as it was, and the values are
  /// those that the block has written so far. The rules of the condition are those of
  /// ``enumerateObjects(ofType:where:_:block:)``, and the others those of
  /// ``resolveDuplicates(ofType:property:keeping:)``.
  ///
  /// - Returns: What was done.
  /// - Throws: What the closure of ``Survivor/merging(_:)`` throws.
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
  /// The object that was added first.
  public static var first: Self { Self(rule: .first, merge: nil) }

  /// The object that was added last.
  public static var last: Self { Self(rule: .last, merge: nil) }

  /// The object with the greatest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func greatest(_ property: String) -> Self {
    Self(rule: .greatest(property), merge: nil)
  }

  /// The object with the smallest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func least(_ property: String) -> Self {
    Self(rule: .least(property), merge: nil)
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
    Self(rule: .first, merge: merge)
  }
}
