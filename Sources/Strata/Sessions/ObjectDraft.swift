import StrataSchema
import StrataStorage

/// The contents of a value: an object and all that this leads to, read whole before anything of it
/// is written.
///
/// Nothing in it is of a realm. An object that is in the file is known by its row, and one that is
/// to come by a number in the place of a row: see ``row(of:)``.
struct ObjectDraft {
  /// One object.
  struct Part {
    let table: Table
    /// An object in no realm that has the values of the columns. It becomes the one in the file if
    /// it is adopted, or new.
    let object: ObjectBase
    /// Whether the object is the program's, and not one that was made for the draft.
    let isAdopted: Bool
    /// The properties that the value gives. What a new object has of others are its defaults.
    var given = PropertySet()
    /// The links, and the values with links in them.
    var links: [(slot: _PropertySlot, element: _StoredElement)] = []
    /// The elements of collections, with their keys in a map.
    var collections: [_PropertySlot: [(key: String, _StoredElement)]] = [:]
  }

  /// The object that the value is of, and then those that it leads to.
  var parts: [Part] = []
  /// The objects of the file that the value leads to: they stay what they are.
  var named: Set<ObjectRow> = []

  /// The number in the place of a row of an object that is to come. No row has such a one.
  static func row(of index: Int) -> Int64 { .min + Int64(index) }

  /// The object that a number stands for; nil for a row.
  static func index(of row: Int64) -> Int? {
    row < .min + Int64(UInt32.max) ? Int(row - .min) : nil
  }

  /// Whether an element may lead to an object that is to come.
  static func isReference(_ element: _StoredElement) -> Bool {
    element.value.integer.map { index(of: $0) != nil } ?? element.isNested
  }
}

/// A row of a table of a store.
struct ObjectRow: Hashable {
  var table: Int
  var row: Int64
}
