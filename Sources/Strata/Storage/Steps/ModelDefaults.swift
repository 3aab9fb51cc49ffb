import Foundation

/// The Swift defaults of properties, and whether they differ from object to object.
///
/// `Date()`, `UUID()` and the like must be evaluated for each row; anything else can be one `DEFAULT`. Which
/// is which shows in samples: eight objects in a row, a pause that lets clocks tick, and eight
/// more.
struct ModelDefaults {
  private struct Key: Hashable {
    var className: String
    var column: String
  }

  private static let samples = 8
  private static let pause: useconds_t = 2_000
  private static let inventedTypes: Set<PropertyType> = [.UUID, .objectId, .date]

  private var defaults: [Key: ColumnDefault] = [:]

  /// - Throws: ``RealmError`` with code `fail` for a default that can't be stored.
  init(of changes: [SchemaChange], _ discovered: DiscoveredSchema) throws(RealmError) {
    var classes: [(info: ClassInfo, slots: [Int], values: [[StoredValue]])] = []
    for (className, columns) in Self.columns(changes) {
      guard let info = discovered.classes[className] else { continue }
      let slots = info.properties.indices.filter { slot in
        let property = info.properties[slot]
        // A new object has a new `UUID` or `ObjectId` and the `Date` of now even without a default:
        // nobody said that old objects should.
        let isInvented = !info.hasDefault[slot] && Self.inventedTypes.contains(property.type)
        return columns.contains(property.columnName) && property.isStoredInColumn
          && !property.isNullable && !isInvented
      }
      if !slots.isEmpty { classes.append((info, slots, [])) }
    }
    guard !classes.isEmpty else { return }
    for round in 0..<2 {
      if round > 0 { usleep(Self.pause) }
      for index in classes.indices {
        for _ in 0..<Self.samples {
          let (info, slots, _) = classes[index]
          classes[index].values.append(try info.defaultValues(slots))
        }
      }
    }
    for (info, slots, values) in classes {
      for (position, slot) in slots.enumerated() {
        let first = values[0][position]
        let isConstant = values.allSatisfy { $0[position].isIdentical(to: first) }
        defaults[Key(className: info.className, column: info.properties[slot].columnName)] =
          isConstant ? .constant(first) : .perRow
      }
    }
  }

  /// The default of a property, as the planner asks for it.
  func value(_ className: String, _ property: Property) -> ColumnDefault {
    defaults[Key(className: className, column: property.columnName)]
      ?? .constant(.zero(for: property.type))
  }

  /// The columns that get values nobody stored, per class.
  private static func columns(_ changes: [SchemaChange]) -> [(String, Set<String>)] {
    var columns: [String: Set<String>] = [:]
    for change in changes {
      switch change {
      case .addProperty(let name, let property), .makeRequired(let name, let property),
        .changeType(let name, _, let property):
        columns[name, default: []].insert(property.columnName)
      default: break
      }
    }
    return columns.sorted { $0.key < $1.key }
  }
}

extension ClassInfo {
  /// The values that a new object has, by position.
  func defaultValues(_ slots: [Int]) throws(RealmError) -> [StoredValue] {
    let object = type.init()
    var values: [StoredValue] = []
    for slot in slots { values.append(try storedValue(slot, of: object)) }
    return values
  }

  /// The slot of the property with this column.
  func slot(column: String) -> Int? {
    properties.firstIndex { SQLName.same($0.columnName, column) }
  }
}

extension StoredValue {
  /// Whether the values are the same bit for bit: to `==` no NaN is like another.
  fileprivate func isIdentical(to other: StoredValue) -> Bool {
    if case .real(let first) = self, case .real(let second) = other {
      return first.bitPattern == second.bitPattern
    }
    return self == other
  }
}
