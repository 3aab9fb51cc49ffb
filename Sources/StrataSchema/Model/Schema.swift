/// A set of classes: what a program declares, or what a file contains.
///
/// The classes are always sorted by name in UTF-8 byte order. Realm promises this order in its
/// messages; `String.<` would not do, because it compares normalized text.
public struct Schema: Sendable, Hashable {
  /// The classes, sorted by name.
  public private(set) var objectSchema: [ObjectSchema]

  /// Creates a schema from classes in any order.
  package init(_ objectSchema: [ObjectSchema] = []) {
    self.objectSchema = objectSchema.sorted { SQLName.precedes($0.className, $1.className) }
  }

  /// The class with this name, or nil.
  public subscript(className: String) -> ObjectSchema? {
    let position = position(of: className)
    return has(className, at: position) ? objectSchema[position] : nil
  }

  /// The same schema as the file knows it: see ``ObjectSchema/stored``.
  package var stored: Schema {
    Schema(objectSchema.map(\.stored))
  }

  /// Adds a class, or replaces the one with the same name.
  package mutating func update(_ class: ObjectSchema) {
    let position = position(of: `class`.className)
    if has(`class`.className, at: position) {
      objectSchema[position] = `class`
    } else {
      objectSchema.insert(`class`, at: position)
    }
  }

  /// Removes the class with this name, if there is one.
  package mutating func remove(_ className: String) {
    let position = position(of: className)
    if has(className, at: position) { objectSchema.remove(at: position) }
  }

  /// Where the class with this name is, or would be.
  private func position(of className: String) -> Int {
    var low = 0
    var high = objectSchema.count
    while low < high {
      let middle = (low + high) / 2
      if SQLName.precedes(objectSchema[middle].className, className) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func has(_ className: String, at position: Int) -> Bool {
    position < objectSchema.count
      && SQLName.same(objectSchema[position].className, className)
  }
}
