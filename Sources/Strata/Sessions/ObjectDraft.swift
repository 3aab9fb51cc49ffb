import StrataSchema
import StrataStorage

/// The contents of a value: an object and everything that it leads to, read completely before any
/// write.
///
/// A draft holds no managed objects. An object in the file is known by its row, and a future object
/// by a number in place of a row: see ``row(of:)``.
struct ObjectDraft {
  struct Part {
    let table: Table
    /// An unmanaged object with the values of the columns. This object becomes the managed one if
    /// it is adopted or new.
    let object: ObjectBase
    /// Whether the object is the program's, rather than made for the draft.
    let isAdopted: Bool
    /// The properties that the value gives. A new object has defaults for the others.
    var given = PropertySet()
    /// The links, and the values with links in them.
    var links: [(slot: _PropertySlot, element: _StoredElement)] = []
    /// The elements of collections, with their keys for a map.
    var collections: [_PropertySlot: [(key: String, _StoredElement)]] = [:]
  }

  /// The object of the value itself, then the objects that it leads to.
  var parts: [Part] = []
  /// The objects in the file that the value leads to. They are not changed.
  var named: Set<ObjectRow> = []

  /// The number that stands for a future object in place of a row. No row has such an identity.
  static func row(of index: Int) -> Int64 { .min + Int64(index) }

  /// The object that a number stands for; nil for a row.
  static func index(of row: Int64) -> Int? {
    row < .min + Int64(UInt32.max) ? Int(row - .min) : nil
  }

  /// Whether an element may lead to a future object.
  static func isReference(_ element: _StoredElement) -> Bool {
    element.value.integer.map { index(of: $0) != nil } ?? element.isNested
  }

  /// Whether the draft has an object for each number. For assertions.
  var isWhole: Bool {
    func isHere(_ row: Int64) -> Bool { Self.index(of: row).map(parts.indices.contains) ?? true }
    func isHere(_ element: _StoredElement, _ property: Property) -> Bool {
      if property.type == .object || element.linkedClassName != nil {
        return element.value.integer.map(isHere) ?? true
      }
      var areAllHere = true
      guard element.isNested else { return areAllHere }
      NestedValue(element)?.forEach { value in
        if case .link(_, let row) = value { areAllHere = areAllHere && isHere(row) }
      }
      return areAllHere
    }
    return parts.allSatisfy { part in
      let properties = part.table.info.properties
      return part.links.allSatisfy { isHere($0.element, properties[$0.slot]) }
        && part.collections.allSatisfy { slot, elements in
          elements.allSatisfy { isHere($0.1, properties[slot]) }
        }
    }
  }
}

/// A row, identified by its table and its identity.
struct ObjectRow: Hashable {
  var table: Int
  var row: Int64
}
