import StrataStorage

/// The implementation of `resolveDuplicates`: keeps one of the objects with the same value.
struct DuplicateMerge {
  let context: MigrationContext
  let className: String
  private let key: Property
  private let survivor: SurvivorRule<Property>
  /// The rows to consider; nil for all.
  private let among: NotedRows?
  /// The number that distinguishes the temporary tables of this resolution.
  private let number: Int

  /// The number of groups that are read at once: no statement may be open while a closure runs.
  private static let groupsAtOnce = 100

  init(
    _ context: MigrationContext, _ className: String, _ propertyName: String?,
    _ rule: SurvivorRule<String>, where condition: MigrationCondition? = nil
  ) throws {
    let start = "Cannot resolve duplicates of '\(className)'"
    let classes = context.classes
    guard let target = classes.newSchema[className], let table = context.newTable(className) else {
      throw RealmError(
        .fail,
        "\(start): it is not a class of the program. It has: "
          + "\(BlockClasses.names(classes.newSchema)).")
    }
    guard !table.isEmbedded, !target.isEmbedded else {
      throw RealmError(
        .fail,
        "\(start): its objects are embedded, and links to an embedded object can't be moved to "
          + "another one. Delete the duplicates, or change their values, in 'enumerateObjects'.")
    }
    guard let name = propertyName ?? target.primaryKey else {
      throw RealmError(
        .fail,
        "\(start): it has no primary key. Say which values are to be unique, with "
          + "'resolveDuplicates(ofType: \"\(className)\", property: \"…\", keeping: …)'.")
    }
    let key = try target.existing(name)
    guard key.type.canBePrimaryKey, key.isStoredInColumn else {
      throw RealmError(
        .fail,
        "Cannot resolve duplicates of '\(className).\(name)': a property of type '\(key.typeName)' "
          + "can't be a primary key. Use one of type 'int', 'string', 'object id' or 'uuid'.")
    }
    survivor = try rule.map { name throws(RealmError) in try target.sortable(name) }
    among = try condition.map { try context.recordRows(of: className, where: $0) }
    context.notes.resolutionCount += 1
    number = context.notes.resolutionCount
    self.context = context
    self.className = className
    self.key = key
  }

  /// Finds groups of objects, lets the closure merge each group, and then redirects links to the
  /// remaining objects and deletes the others.
  ///
  /// - Throws: The error of the closure. Any other error ends the migration.
  func run<Failure>(
    _ merge: ((DynamicObject, [DynamicObject]) throws(Failure) -> Void)?
  ) throws(Failure) -> DuplicateResolution {
    var result = DuplicateResolution()
    let status = context.status
    guard let resolver = status.attempt(makeResolver) else { return result }
    defer {
      status.attemptIfSound {
        try resolver.cleanUp()
        try among?.cleanUp()
      }
    }
    guard let count = status.attempt({ try resolver.find() }), count > 0 else { return result }
    result.groupCount = count
    if let merge {
      try callForEachGroup(resolver, merge)
      guard status.canWork() else { return result }
    }
    // A new resolver: the closure may have changed the class.
    _ = status.attempt { try finish(makeResolver(), &result) }
    return result
  }

  private func makeResolver() throws -> DuplicateResolver {
    let db = context.new.flush()
    let physical = context.physicalWithRetired
    let sql = DuplicatesSQL(
      physical[className] ?? ObjectSchema(className: className, properties: []), key,
      keeping: survivor, among: among?.sql, decimals: QueryFunctions.decimalOrder, number: number)
    return DuplicateResolver(db, sql, of: className, in: physical)
  }

  private func callForEachGroup<Failure>(
    _ resolver: DuplicateResolver,
    _ body: (DynamicObject, [DynamicObject]) throws(Failure) -> Void
  ) throws(Failure) {
    let status = context.status
    var last: Int64 = 0
    while let groups = status.attempt({
      try resolver.groups(after: last, limit: Self.groupsAtOnce)
    }), !groups.isEmpty {
      for group in groups {
        guard let table = context.newTable(className),
          let rows = status.attempt({ try resolver.rows(of: group) })
        else { return }
        let survivor = DynamicObject(table, row: group.survivor)
        try body(survivor, rows.map { DynamicObject(table, row: $0) })
        guard status.isSound else { return }
        context.new.flush()
        if survivor.isDeleted || context.isDeleted(group.survivor, of: className) {
          return status.fail(
            "The closure of 'merging' has deleted the remaining object ('\(className)' "
              + "\(group.survivor)). Delete no objects in the closure: the duplicates are deleted "
              + "afterwards.")
        }
        last = group.number
      }
    }
  }

  private func finish(
    _ resolver: DuplicateResolver, _ result: inout DuplicateResolution
  ) throws {
    for group in try resolver.groups(after: 0, limit: DuplicateResolution.limit) {
      result.groups.append(
        DuplicateResolution.Group(
          value: group.value, survivor: group.survivor,
          removed: try resolver.rows(of: group, limit: DuplicateResolution.limit)))
    }
    try context.deleting(from: className) {
      result.movedLinkCount = try resolver.moveLinks()
      result.removedCount = try resolver.forEachRow {
        context.recordDeleted($0, of: className, isMerged: true)
      }
      try resolver.delete()
    }
    context.notes.recordChange()
    context.touch(nil)
  }
}

extension ObjectSchema {
  func existing(_ name: String) throws(RealmError) -> Property {
    if let property = self[name] { return property }
    throw RealmError(
      .fail, ErrorText.invalidPropertyName(name, className, known: properties.map(\.name)))
  }

  fileprivate func sortable(_ name: String) throws(RealmError) -> Property {
    let property = try existing(name)
    guard property.isStoredInColumn, property.type != .object, property.type != .any else {
      throw RealmError(
        .fail,
        "Cannot keep the object with the greatest or least '\(className).\(name)': values of type "
          + "'\(property.typeName)' have no order. Use a property of another type, or '.merging'.")
    }
    return property
  }
}

/// The result of ``Migration/resolveDuplicates(ofType:property:keeping:)``.
public struct DuplicateResolution: Sendable, Hashable {
  /// A value that several objects had.
  public struct Group: Sendable, Hashable {
    /// The value, as stored in the file.
    public internal(set) var value: StoredValue
    /// The identity of the object that remains.
    public internal(set) var survivor: Int64
    /// The identities of deleted objects, at most ``DuplicateResolution/limit`` of them.
    public internal(set) var removed: [Int64]
  }

  /// The maximum number of groups in ``groups``, and of objects in a group.
  public static let limit = 100

  /// The number of values that several objects had.
  public internal(set) var groupCount = 0
  /// The number of deleted objects.
  public internal(set) var removedCount = 0
  /// The number of links that were redirected to another object.
  public internal(set) var movedLinkCount = 0
  /// The values and their objects, in the order of their first objects, at most ``limit`` of them.
  public internal(set) var groups: [Group] = []
}
