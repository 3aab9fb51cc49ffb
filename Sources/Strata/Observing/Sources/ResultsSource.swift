import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// The objects that a query finds.
struct ResultsSource: ObservationSource {
  let query: ObjectQuery
  let objects: ChangedObjects
  let key: String
  private let className: String
  private let identity: String
  private let readTables: Set<String>
  /// Whether an object can occur several times.
  private let hasDuplicates: Bool
  /// The statements; nil if membership or order depends on more than the row itself, or if the
  /// query never finds anything.
  private let texts: Texts?

  /// The statements that run at each commit.
  private struct Texts {
    /// Selects a single row, if the row belongs to the results.
    let presentOne: String
    /// Selects the given rows that belong to the results, in the order of the results.
    let presentSome: String
    /// Selects the first of two rows in the order of the results.
    let firstOfTwo: String

    init(_ query: ObjectQuery, _ identity: String) {
      let next = query.parameters.count + 1
      func select(isOne: Bool) -> String {
        let condition = BoundIdentities.condition(at: next, isOne: isOne)
        return query.select(identity, where: "\(identity) \(condition)")
      }
      presentOne = select(isOne: true)
      presentSome = select(isOne: false)
      firstOfTwo =
        query.select(identity, where: "\(identity) IN (?\(next), ?\(next + 1))") + " LIMIT 1"
    }
  }

  init(_ query: ObjectQuery, _ objects: ChangedObjects) {
    self.query = query
    self.objects = objects
    className = query.table.info.className
    readTables = query.readTables
    hasDuplicates = query.hasDuplicates
    let identity = "t.\(query.table.identity)"
    self.identity = identity
    let canHaveRows = query.table.exists
    texts = canHaveRows && query.isLocal ? Texts(query, identity) : nil
    key = canHaveRows ? "rows \(query.select("")) \(query.parameters) \(objects.key)" : "no rows"
  }

  /// Whether the query can find rows. An invalid query never does, whatever is written.
  private var canHaveRows: Bool { query.table.exists }

  var regions: [ChangedObjects] { canHaveRows ? [objects] : [] }
  var classesWithProperties: Set<String> { [] }
  var list: CollectionKey? { nil }
  var tables: Set<String> { canHaveRows ? readTables : [] }

  func state(_ db: Database) throws -> SourceState { .rows(try rows(db)) }

  private func rows(_ db: Database) throws -> [Int64] {
    guard canHaveRows else { return [] }
    return try db.integers(query.select(identity), query.parameters)
  }

  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) throws -> (state: SourceState, change: SourceChange?) {
    guard canHaveRows, case .rows(let before) = state else { return (state, nil) }
    let modified = changes.reached(objects)
    guard readTables.contains(where: changes.touches) else {
      let changeSet = ChangeSet(modifications: positions(of: modified.members, in: before))
      return (state, changeSet.isEmpty ? nil : .elements(changeSet))
    }
    let (after, changeSet) = try difference(before, modified, changes, db)
    return (.rows(after), changeSet.isEmpty ? nil : .elements(changeSet))
  }

  private func difference(
    _ before: [Int64], _ modified: RowSet, _ changes: CommitChanges, _ db: Database
  ) throws -> ([Int64], ChangeSet) {
    let touched = changes.rows(of: className)
    if let texts, touched.count <= max(before.count / Self.rowsPerTouched, 1) {
      return try replacing(touched, in: before, modified, texts, db)
    }
    let after = try rows(db)
    if hasDuplicates {
      return (
        after,
        SequenceDifference.elements(old: before, new: after, modified: modified.contains)
      )
    }
    return (
      after,
      SequenceDifference.identities(old: before, new: after, touched: modified.contains)
    )
  }

  /// The ratio of rows to changed rows below which reading all rows again is faster.
  private static let rowsPerTouched = 500

  /// Updates the changed rows only: removes them, and inserts them at their new positions. The
  /// other rows neither move nor enter or leave the results.
  private func replacing(
    _ touched: RowSet, in before: [Int64], _ modified: RowSet, _ texts: Texts, _ db: Database
  ) throws -> ([Int64], ChangeSet) {
    let members = touched.members
    let rows = BoundIdentities(members)
    let present = try db.integers(
      rows.isOne ? texts.presentOne : texts.presentSome, query.parameters + [rows.parameter])
    let order = RowOrder(
      delivered: before, touched: members, isAscending: query.isByIdentity)
    let isBefore = try comparison(texts, db)
    var lowest = 0
    let placed = try present.map { row in
      // The rows are in the order of the query: each comes after the previous one.
      lowest = try order.gap(atLeast: lowest, near: order.deliveredGap(of: row)) {
        try isBefore($0, row)
      }
      return (row: row, gap: lowest)
    }
    let (after, changes) = order.change(to: placed)
    var modifications = changes.modifications.filter { modified.contains(before[$0]) }
    let linking = modified.members.filter { !touched.contains($0) }
    if !linking.isEmpty {
      modifications = (modifications + positions(of: linking, in: before)).sorted()
    }
    return (
      after,
      ChangeSet(
        deletions: changes.deletions, insertions: changes.insertions, modifications: modifications)
    )
  }

  private func positions(of rows: [Int64], in before: [Int64]) -> [Int] {
    RowOrder.positions(of: rows, in: before, isAscending: query.isByIdentity)
  }

  /// Returns a function that compares two rows in the order of the results.
  private func comparison(
    _ texts: Texts, _ db: Database
  ) throws -> (Int64, Int64) throws -> Bool {
    if query.isByIdentity { return { $0 < $1 } }
    let statement = try db.cachedStatement(sql: texts.firstOfTwo)
    let parameters = query.parameters
    return { first, second in
      try statement.bindRaw(parameters + [.integer(first), .integer(second)])
      defer { statement.resetRaw() }
      return try statement.stepRaw() && statement.int64(0) == first
    }
  }
}

extension ObjectQuery {
  /// Whether an object can be found several times.
  fileprivate var hasDuplicates: Bool {
    switch source {
    case .all, .linking: false
    case .collection(let info, _), .containing(let info, _): info.kind != .set
    }
  }

  /// Whether conditions and orders read only columns of the row itself.
  var isLocal: Bool {
    switch source {
    case .collection, .containing: return false
    case .all, .linking: break
    }
    guard !request.isLimited, !request.isDistinct else { return false }
    return sql.reads.allSatisfy { read in
      guard case .property(let property) = read else { return false }
      return property.className == table.info.className && property.property.collection == nil
        && property.property.type != .object && property.property.type != .linkingObjects
    }
  }

  /// The tables that decide which rows are found, and in which order.
  var readTables: Set<String> {
    var tables: Set = [table.info.className]
    switch source {
    case .all, .linking: break
    case .collection(let info, _), .containing(let info, _): tables.insert(info.tableName)
    }
    for read in sql.reads {
      switch read {
      case .rows(let className): tables.insert(className)
      case .property(let property):
        tables.insert(property.className)
        if property.property.collection != nil {
          tables.insert(
            CollectionTable.name(className: property.className, property: property.property))
        }
      }
    }
    return tables
  }
}
