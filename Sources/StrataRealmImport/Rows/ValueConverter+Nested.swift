import StrataRealmFile
import StrataSchema
import StrataStorage

/// Lists and dictionaries inside of an `AnyRealmValue`.
extension ValueConverter {
  /// A collection as the text of a column has it; nil for one that no choice was made for, or that
  /// becomes nil.
  func nested(_ value: RealmValue, _ object: Int64) -> NestedValue? {
    // No element of a set is a collection: Realm doesn't write them.
    guard property.collection != .set else {
      noteNestedCollection(object)
      return nil
    }
    return nested(value, level: 0, object)
  }

  /// - Parameter level: How many collections are around the value.
  private func nested(_ value: RealmValue, level: Int, _ object: Int64) -> NestedValue {
    switch value {
    case .list(let values):
      guard level < NestedValue.mostLevels else { break }
      return .list(values.map { nested($0, level: level + 1, object) })
    case .dictionary(let entries):
      guard level < NestedValue.mostLevels else { break }
      let result = NestedValue.dictionary(
        unordered: entries.map {
          NestedEntry(key: $0.key, value: nested($0.value, level: level + 1, object))
        })
      if case .dictionary(let kept) = result, kept.count < entries.count {
        context.notes.refuse(.duplicateKey, place(.duplicateKey, object))
      }
      return result
    case .set: break
    default: return single(value, object)
    }
    noteNestedCollection(object)
    return .null
  }

  private func single(_ value: RealmValue, _ object: Int64) -> NestedValue {
    switch ConvertedValue(value) {
    case .stored(let stored): return value.singleType.map { .value(stored, $0) } ?? .null
    case .link(let link):
      if let identity = context.keys[link.className]?.identity(of: link.objectKey) {
        return .link(className: link.className, row: identity)
      }
      note(.danglingLink, object, isSettled: context.choices.danglingLinks == .asNil)
      return .null
    case .refused(.notANumber): return .value(.real(.nan), value.singleType ?? .double)
    case .refused(.yearOutOfRange):
      note(.date, object, isSettled: context.choices.dates != nil)
      guard context.choices.dates == .clamped, case .date(let date) = value else { return .null }
      return .value(.text(DateText.nearest(to: date.date)), .date)
    case .collection: return .null
    }
  }

  /// A set, more levels than can be read, or a collection where none can be.
  private func noteNestedCollection(_ object: Int64) {
    note(.nestedCollection, object, isSettled: context.choices.nestedCollections == .asNil)
  }
}
