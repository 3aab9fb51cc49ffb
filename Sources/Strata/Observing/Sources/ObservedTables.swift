import StrataStorage

/// The tables that observations depend on, and what a session that writes must note of them.
struct ObservedTables: Sendable {
  /// With how many observations need each.
  private(set) var tables: [String: Int] = [:]
  private(set) var classesWithProperties: [String: Int] = [:]
  private(set) var lists: [CollectionKey: Int] = [:]
  private var regionCounts: [String: Int] = [:]
  private(set) var regions: [String: ChangedObjects] = [:]
  /// How many tokens there are.
  var tokens = 0

  var isEmpty: Bool { tokens == 0 }

  mutating func add(_ source: any ObservationSource) { count(source, 1) }

  mutating func remove(_ source: any ObservationSource) { count(source, -1) }

  private mutating func count(_ source: any ObservationSource, _ number: Int) {
    for region in source.regions {
      regionCounts.count(region.key, number)
      regions[region.key] = regionCounts[region.key] == nil ? nil : region
      for table in region.tables { tables.count(table, number) }
      for name in region.classesWithProperties { classesWithProperties.count(name, number) }
    }
    for table in source.tables { tables.count(table, number) }
    for name in source.classesWithProperties { classesWithProperties.count(name, number) }
    if let list = source.list { lists.count(list, number) }
  }
}

extension Dictionary where Value == Int {
  fileprivate mutating func count(_ key: Key, _ number: Int) {
    let count = self[key, default: 0] + number
    self[key] = count > 0 ? count : nil
  }
}
