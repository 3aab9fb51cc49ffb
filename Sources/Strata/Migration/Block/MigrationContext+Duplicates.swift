extension MigrationContext {
  /// Groups that are read at once: no statement may be open while a closure runs.
  private static let groupsAtOnce = 100

  func resolveDuplicates<Failure>(
    of className: String, _ propertyName: String?, keeping survivor: Migration.Survivor<Failure>
  ) throws(Failure) -> DuplicateResolution {
    var result = DuplicateResolution()
    guard canWork(),
      let task = attempt({ try task(className, propertyName, survivor.choice) }),
      let resolver = attempt({ try makeResolver(task) })
    else { return result }
    defer { attemptIfSound { try resolver.cleanUp() } }
    guard let count = attempt({ try resolver.find() }), count > 0 else { return result }
    result.groupCount = count
    if let merge = survivor.merge {
      try self.merge(className, resolver, merge)
      guard canWork() else { return result }
    }
    // The closure may have changed the class.
    _ = attempt { try finish(className, makeResolver(task), &result) }
    return result
  }

  // MARK: Merging

  private func merge<Failure>(
    _ className: String, _ resolver: DuplicateResolver,
    _ body: (MigrationObject, [MigrationObject]) throws(Failure) -> Void
  ) throws(Failure) {
    var last: Int64 = 0
    while let groups = attempt({ try resolver.groups(after: last, limit: Self.groupsAtOnce) }),
      !groups.isEmpty
    {
      for group in groups {
        guard let table = newTable(className), let rows = attempt({ try resolver.rows(of: group) })
        else { return }
        let survivor = DynamicObject(table, row: group.survivor)
        try body(survivor, rows.map { DynamicObject(table, row: $0) })
        guard isSound else { return }
        settle()
        if survivor.isDeleted || isDeleted(group.survivor, of: className) {
          return fail(
            "The closure of 'merging' has deleted the object that stays ('\(className)' "
              + "\(group.survivor)). Delete none of the objects: those that don't stay are deleted "
              + "afterwards.")
        }
        last = group.number
      }
    }
  }

  // MARK: Moving links

  private func finish(
    _ className: String, _ resolver: DuplicateResolver, _ result: inout DuplicateResolution
  ) throws {
    for group in try resolver.groups(after: 0, limit: DuplicateResolution.limit) {
      result.groups.append(
        DuplicateResolution.Group(
          value: group.value, survivor: group.survivor,
          removed: try resolver.rows(of: group, limit: DuplicateResolution.limit)))
    }
    try deleting(from: className) {
      result.movedLinkCount = try resolver.moveLinks()
      result.removedCount = try resolver.forEachRow {
        noteDeleted($0, of: className, isMerged: true)
      }
      try resolver.delete()
    }
    noteChange()
    touch(nil)
  }

  // MARK: Checking

  /// What is to be done, with the names of columns.
  private struct Task {
    var className: String
    var key: Property
    var survivor: DuplicatesSQL.Survivor
    /// Tells the tables for what is found apart.
    var number: Int
  }

  private func makeResolver(_ task: Task) throws -> DuplicateResolver {
    let db = new
    let sql = DuplicatesSQL(
      physical[task.className] ?? ObjectSchema(className: task.className, properties: []),
      task.key, keeping: task.survivor, decimals: Connections.decimalOrder, number: task.number)
    return DuplicateResolver(db, sql, of: task.className, in: physical)
  }

  /// - Throws: ``RealmError`` with code `fail` for a class or a property that can't be meant.
  private func task(
    _ className: String, _ propertyName: String?, _ choice: SurvivorChoice
  ) throws(RealmError) -> Task {
    let start = "Cannot resolve duplicates of '\(className)'"
    guard let target = newSchema[className], let table = newTable(className) else {
      throw RealmError(
        .fail, "\(start): it is no class of the program. It has: \(Self.names(newSchema)).")
    }
    guard !table.isEmbedded, !target.isEmbedded else {
      throw RealmError(
        .fail,
        "\(start): its objects are embedded, each in one other, and can't take each other's place. "
          + "Delete those that are too many, or change their values, in 'enumerateObjects'.")
    }
    guard let name = propertyName ?? target.primaryKey else {
      throw RealmError(
        .fail,
        "\(start): it has no primary key. Say which values are to be unique, with "
          + "'resolveDuplicates(ofType: \"\(className)\", property: \"…\", keeping: …)'.")
    }
    let key = try property(name, of: target)
    guard key.type.canBePrimaryKey, key.isStoredInColumn else {
      throw RealmError(
        .fail,
        "Cannot resolve duplicates of '\(className).\(name)': a property of type '\(key.typeName)' "
          + "can't be a primary key. Use one of type 'int', 'string', 'object id' or 'uuid'.")
    }
    let survivor = try survivor(choice, target)
    resolutions += 1
    return Task(className: className, key: key, survivor: survivor, number: resolutions)
  }

  private func property(_ name: String, of schema: ObjectSchema) throws(RealmError) -> Property {
    if let property = schema[name] { return property }
    throw RealmError(
      .fail,
      ErrorText.invalidPropertyName(
        name, schema.className, known: schema.properties.map(\.name)))
  }

  private func survivor(
    _ choice: SurvivorChoice, _ schema: ObjectSchema
  ) throws(RealmError) -> DuplicatesSQL.Survivor {
    switch choice {
    case .first: .first
    case .last: .last
    case .greatest(let name): .greatest(try sortable(name, of: schema))
    case .least(let name): .least(try sortable(name, of: schema))
    }
  }

  private func sortable(_ name: String, of schema: ObjectSchema) throws(RealmError) -> Property {
    let property = try property(name, of: schema)
    guard property.isStoredInColumn, property.type != .object, property.type != .any else {
      throw RealmError(
        .fail,
        "Cannot keep the object with the greatest or least '\(schema.className).\(name)': values of "
          + "type '\(property.typeName)' have no order. Use a property of another type, or "
          + "'.merging'.")
    }
    return property
  }
}
