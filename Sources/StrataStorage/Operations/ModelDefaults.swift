import Foundation
package import StrataSchema
import Synchronization

/// The Swift defaults of properties, and whether they differ from object to object.
///
/// `Date()`, `UUID()` and the like must be evaluated for each row; anything else can be one
/// `DEFAULT`. Which is which shows in samples: eight objects in a row, a pause that lets clocks
/// tick, and eight more. Sampling ends as soon as it is known of each property, and what is known
/// stays so for the process: a later migration makes one object, to see whether a constant is still
/// the same.
package struct ModelDefaults {
  private struct Key: Hashable {
    var className: String
    var column: String
  }

  /// The first samples and those after the pause.
  private static let samples = 8
  private static let pause: useconds_t = 2_000
  private static let inventedTypes: Set<PropertyType> = [.UUID, .objectId, .date]

  private var defaults: [Key: ColumnDefault] = [:]

  /// - Throws: ``RealmError`` with code `fail` for a default that can't be stored.
  package init(of changes: [SchemaChange], _ classes: [String: any ModelClass]) throws(RealmError) {
    var sampled: [DefaultSamples] = []
    for (className, columns) in Self.columns(changes) {
      guard let info = classes[className] else { continue }
      let slots = info.properties.indices.filter { slot in
        let property = info.properties[slot]
        // A new object has a new `UUID` or `ObjectId` and the `Date` of now even without a default:
        // nothing says that old objects should.
        let isInvented = !info.hasDefault[slot] && Self.inventedTypes.contains(property.type)
        return columns.contains(property.columnName) && property.isStoredInColumn
          && !property.isNullable && !isInvented
      }
      if !slots.isEmpty { sampled.append(try DefaultSamples(info, slots)) }
    }
    for index in sampled.indices { try sampled[index].take(Self.samples - 1) }
    if sampled.contains(where: { !$0.isDone }) {
      usleep(Self.pause)
      for index in sampled.indices { try sampled[index].take(Self.samples) }
    }
    for samples in sampled {
      for (slot, value) in samples.results {
        let column = samples.info.properties[slot].columnName
        defaults[Key(className: samples.info.className, column: column)] = value
      }
    }
  }

  /// The default of a property, as the planner asks for it.
  package func value(_ className: String, _ property: Property) -> ColumnDefault {
    defaults[Key(className: className, column: property.columnName)]
      ?? .constant(.zero(for: property.type))
  }

  /// By classes, the columns that get values which were never stored.
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

/// The defaults of one class in several new objects.
private struct DefaultSamples {
  let info: any ModelClass
  private let first: [_PropertySlot: StoredValue]
  /// The properties whose values were the same so far, and of which nothing else is known.
  private var undecided: [_PropertySlot]
  private var varying: Set<_PropertySlot>

  /// - Throws: ``RealmError`` with code `fail` for a default that can't be stored.
  init(_ info: any ModelClass, _ slots: [_PropertySlot]) throws(RealmError) {
    self.info = info
    let values = try info.defaultValues(slots)
    first = Dictionary(uniqueKeysWithValues: zip(slots, values))
    let known = Self.known.withLock { $0[ObjectIdentifier(info)] ?? [:] }
    varying = Set(slots.filter { known[$0] == .perRow })
    undecided = zip(slots, values).filter { slot, value in
      switch known[slot] {
      case .perRow: false
      case .constant(let before): !before.isIdentical(to: value)
      case nil: true
      }
    }.map(\.0)
  }

  /// Whether no more samples are needed.
  var isDone: Bool { undecided.isEmpty }

  /// Makes objects, until there is nothing left to find out.
  mutating func take(_ count: Int) throws(RealmError) {
    for _ in 0..<count where !isDone {
      for (slot, value) in zip(undecided, try info.defaultValues(undecided))
      where first[slot].map({ !value.isIdentical(to: $0) }) ?? true {
        varying.insert(slot)
      }
      undecided.removeAll(where: varying.contains)
    }
  }

  /// What is to be done for each property; kept for the next migration of the process.
  var results: [_PropertySlot: ColumnDefault] {
    var results: [_PropertySlot: ColumnDefault] = [:]
    for (slot, value) in first {
      results[slot] = varying.contains(slot) ? .perRow : .constant(value)
    }
    Self.known.withLock {
      $0[ObjectIdentifier(info), default: [:]].merge(results) { _, new in new }
    }
    return results
  }

  private static let known = Mutex<[ObjectIdentifier: [_PropertySlot: ColumnDefault]]>([:])
}

/// A model class, as operations on its table know it: what new objects of it have.
package protocol ModelClass: AnyObject {
  var className: String { get }
  var properties: SlotArray<Property> { get }
  /// Whether the class gives each property a default of its own.
  var hasDefault: SlotArray<Bool> { get }

  /// The values that a new object has in some properties.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a default that can't be stored.
  func defaultValues(_ slots: [_PropertySlot]) throws(RealmError) -> [StoredValue]
}

extension ModelClass {
  /// The slot of the property with this column.
  package func slot(column: String) -> _PropertySlot? {
    properties.firstIndex { SQLName.same($0.columnName, column) }
  }
}
