import GRDB
import StrataSchema
import StrataStorage

/// The source of a session that tracks reads: the changed rows of the whole file, and their changed
/// properties.
struct ReadsSource: ObservationSource {
  let key = "reads"
  let regions: [ChangedObjects] = []
  let classesWithProperties: Set<String>
  let list: CollectionKey? = nil
  let tables: Set<String>

  init(_ store: Store) {
    classesWithProperties = Set(store.tables.map(\.info.className))
    tables = classesWithProperties.union(
      store.tables.flatMap(\.collections.values).map(\.tableName))
  }

  func state(_ db: Database) -> SourceState { .everything }

  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) -> (state: SourceState, change: SourceChange?) {
    let isTouched = changes.rows.values.contains { !$0.isEmpty }
    return (.everything, isTouched ? .touched(changes) : nil)
  }
}

/// A part of the file that a session has read.
enum ReadThing: Hashable {
  /// A property of an object. Tables and collections are identified by their positions in the
  /// store.
  case property(table: Int, row: Int64, slot: _PropertySlot)
  /// The existence of an object.
  case presence(table: Int, row: Int64)
  case elements(collection: Int, owner: Int64)
  /// The objects that a query finds, and their order.
  case members(query: String)
  /// Any value of any object of a class.
  case values(table: Int)
  case everything
}

/// The dependencies of a query's objects and of their order.
struct ReadQuery {
  private enum Dependency {
    case members(of: String)
    case property(of: String, _PropertySlot)
    case collection(CollectionKey)
    /// Any row of a table.
    case table(String)
    case everything
  }

  private let dependencies: [Dependency]

  init(_ query: ObjectQuery, _ tableSet: TableSet) {
    let className = query.table.info.className
    var dependencies = [Dependency.members(of: className)]
    switch query.source {
    case .all: break
    case .collection(let info, let owner):
      dependencies.append(.collection(CollectionKey(table: info.tableName, owner: owner)))
    case .linking: dependencies.append(.table(className))
    case .containing(let info, _): dependencies.append(.table(info.tableName))
    }
    for read in query.sql.reads {
      switch read {
      case .rows(let className): dependencies.append(.members(of: className))
      case .property(let property):
        let slot = tableSet[property.className]?.info.slot(property.property.name)
        if property.property.collection != nil {
          let name = CollectionTable.name(
            className: property.className, property: property.property)
          dependencies.append(.table(name))
        } else if let slot, property.property.type != .linkingObjects {
          dependencies.append(.property(of: property.className, slot))
        } else {
          dependencies.append(.everything)
        }
      }
    }
    self.dependencies = dependencies
  }

  func isChanged(by changes: CommitChanges) -> Bool {
    dependencies.contains { dependency in
      switch dependency {
      case .members(let className): changes.touchesProperties(of: className) { $0.isAll }
      case .property(let className, let slot):
        changes.touchesProperties(of: className) { $0.contains(slot) }
      case .collection(let collection): changes.touches(collection)
      case .table(let table): changes.touches(table)
      case .everything: true
      }
    }
  }
}

extension CommitChanges {
  /// Returns the changed properties of a row; all properties of an inserted or deleted row.
  func properties(of row: Int64, in className: String) -> PropertySet {
    guard let rows = rows[className], rows.contains(row) else { return PropertySet() }
    return properties[className]?[row] ?? .all
  }

  /// Returns whether a class has a changed row whose changed properties meet a condition.
  fileprivate func touchesProperties(
    of className: String, where isMeant: (PropertySet) -> Bool
  ) -> Bool {
    guard let rows = rows[className], !rows.isEmpty else { return false }
    guard let known = properties[className], known.count >= rows.count else { return true }
    return known.values.contains(where: isMeant)
  }
}
