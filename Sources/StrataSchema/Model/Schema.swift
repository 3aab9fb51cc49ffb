/// A set of classes: what a program declares, or what a file contains.
///
/// The classes are always sorted by name in UTF-8 byte order. Realm promises this order in its
/// messages; `String.<` would not do, because it compares normalized text.
public struct Schema: Sendable, Hashable {
  /// The classes, sorted by name.
  public package(set) var objectSchema: [ObjectSchema] {
    didSet { Self.sort(&objectSchema) }
  }

  /// Creates a schema from classes in any order.
  package init(_ objectSchema: [ObjectSchema] = []) {
    var sorted = objectSchema
    Self.sort(&sorted)
    self.objectSchema = sorted
  }

  /// The class with this name, or nil.
  public subscript(className: String) -> ObjectSchema? {
    position(of: className).map { objectSchema[$0] }
  }

  /// The same schema as the file knows it: see ``ObjectSchema/stored``.
  package var stored: Schema {
    Schema(objectSchema.map(\.stored))
  }

  /// Adds a class, or replaces the one with the same name.
  package mutating func update(_ class: ObjectSchema) {
    if let position = position(of: `class`.className) {
      objectSchema[position] = `class`
    } else {
      objectSchema.append(`class`)
    }
  }

  /// Removes the class with this name, if there is one.
  package mutating func remove(_ className: String) {
    if let position = position(of: className) {
      objectSchema.remove(at: position)
    }
  }

  private func position(of className: String) -> Int? {
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
    guard low < objectSchema.count else { return nil }
    return SQLName.same(objectSchema[low].className, className) ? low : nil
  }

  private static func sort(_ classes: inout [ObjectSchema]) {
    classes.sort { SQLName.precedes($0.className, $1.className) }
  }
}
