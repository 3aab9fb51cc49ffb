import Foundation
import StrataSchema
import Synchronization

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

  /// Returns the values of a new object, and a function that tells whether a value is the moment at
  /// which it was created. Nil for a default that can't be stored.
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
