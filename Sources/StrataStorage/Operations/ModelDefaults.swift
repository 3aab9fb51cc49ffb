import Foundation
package import StrataSchema
import Synchronization

/// The Swift defaults of properties, and whether they differ between objects.
///
/// `Date()`, `UUID()` and similar defaults must be evaluated for each row; any other value can be
/// one `DEFAULT`. Samples show the difference: eight successive objects, a pause in which clocks
/// advance, and eight more. Sampling ends when the difference is known for each property. The
/// result is kept for the process; a later migration creates one object, to check whether a
/// constant is still the same.
package struct ModelDefaults {
  private struct Key: Hashable {
    var className: String
    var column: String
  }

  /// The number of samples before and after the pause.
  private static let samples = 8
  private static let pause: useconds_t = 2_000
  private static let inventedTypes: Set<PropertyType> = [.UUID, .objectId, .date]

  private var defaults: [Key: ColumnDefault] = [:]

  package init(of changes: [SchemaChange], _ classes: [String: any ModelClass]) throws(RealmError) {
    var sampled: [DefaultSamples] = []
    for (className, columns) in Self.columns(changes) {
      guard let info = classes[className] else { continue }
      let slots = info.properties.indices.filter { slot in
        let property = info.properties[slot]
        // A new object has a new `UUID` or `ObjectId` and the present `Date` even without a
        // default. That doesn't mean that old objects should get such values.
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

  /// Returns the default of a property, for the planner.
  package func value(_ className: String, _ property: Property) -> ColumnDefault {
    defaults[Key(className: className, column: property.columnName)]
      ?? .constant(.zero(for: property.type))
  }

  /// Returns the columns that get new values, by class.
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
  /// The properties whose samples were equal so far, and about which nothing else is known.
  private var undecided: [_PropertySlot]
  private var varying: Set<_PropertySlot>

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

  /// Creates objects until no property is undecided.
  mutating func take(_ count: Int) throws(RealmError) {
    for _ in 0..<count where !isDone {
      for (slot, value) in zip(undecided, try info.defaultValues(undecided))
      where first[slot].map({ !value.isIdentical(to: $0) }) ?? true {
        varying.insert(slot)
      }
      undecided.removeAll(where: varying.contains)
    }
  }

  /// The defaults of the properties; kept for the next migration of the process.
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

/// A model class, as seen by operations on its table: the values of its new objects.
package protocol ModelClass: AnyObject {
  var className: String { get }
  var properties: SlotArray<Property> { get }
  /// Whether the class gives each property an explicit default.
  var hasDefault: SlotArray<Bool> { get }

  /// Returns the values of some properties of a new object.
  func defaultValues(_ slots: [_PropertySlot]) throws(RealmError) -> [StoredValue]
}

extension ModelClass {
  package func slot(column: String) -> _PropertySlot? {
    properties.firstIndex { SQLName.same($0.columnName, column) }
  }
}

/// The `DEFAULT` clauses of the tables of model classes.
///
/// They give values to rows of programs that don't know a property: other programs, and older
/// releases of this one. A default is a constant if two new objects have the same value. A random
/// `UUID` or `ObjectId`, and the time at which the object was created, are expressions of SQLite. A
/// primary key has no default.
package enum TableDefaults {
  private static let known = Mutex<[ObjectIdentifier: [String: String]]>([:])

  /// Returns the values of the clauses, by column. Finds them once in a process.
  package static func of(_ info: any ModelClass, primaryKey: String?) -> [String: String] {
    let key = ObjectIdentifier(info)
    if let defaults = known.withLock({ $0[key] }) { return defaults }
    let slots = info.properties.indices.filter { slot in
      let property = info.properties[slot]
      return property.isStoredInColumn && !property.isNullable
        && property.columnName != primaryKey
    }
    var defaults: [String: String] = [:]
    for sample in samples(info, slots) {
      defaults[info.properties[sample.slot].columnName] = sample.sql(info)
    }
    return known.withLock { known in
      known[key] = defaults
      return defaults
    }
  }

  /// A property in two new objects.
  private struct Sample {
    let slot: _PropertySlot
    let first: StoredValue
    let second: StoredValue
    /// Whether both are dates between the moments before and after their objects were created.
    let isNow: Bool

    func sql(_ info: any ModelClass) -> String? {
      let type = info.properties[slot].type
      if !info.hasDefault[slot], let generated = DefaultSQL.generated(type) { return generated }
      if first.isIdentical(to: second) { return DefaultSQL.constant(first) }
      return type == .date && !isNow ? nil : DefaultSQL.generated(type)
    }
  }

  private static func samples(_ info: any ModelClass, _ slots: [_PropertySlot]) -> [Sample] {
    guard !slots.isEmpty else { return [] }
    guard let (first, isFirstNow) = values(info, slots),
      let (second, isSecondNow) = values(info, slots)
    else {
      // A default that can't be stored, such as NaN. The others are found one by one.
      return slots.count == 1 ? [] : slots.flatMap { samples(info, [$0]) }
    }
    return slots.indices.map { index in
      Sample(
        slot: slots[index], first: first[index], second: second[index],
        isNow: isFirstNow(first[index]) && isSecondNow(second[index]))
    }
  }

  /// Returns the values of a new object, and a function that checks whether a value is the moment
  /// at which the object was created. Nil for a default that can't be stored.
  private static func values(
    _ info: any ModelClass, _ slots: [_PropertySlot]
  ) -> ([StoredValue], (StoredValue) -> Bool)? {
    let start = Date()
    do throws(RealmError) {
      let values = try info.defaultValues(slots)
      let end = Date()
      return (
        values,
        { value in
          guard case .text(let text) = value, let start = DateText.encode(start),
            let end = DateText.encode(end)
          else { return false }
          return start <= text && text <= end
        }
      )
    } catch {
      return nil
    }
  }
}
