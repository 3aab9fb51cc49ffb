package import StrataSchema

/// A model class, as operations on its table know it: what new objects of it have.
package protocol ModelClass: AnyObject {
  var className: String { get }
  /// By slots.
  var properties: [Property] { get }
  /// By slots, whether the class gives the property a default of its own.
  var hasDefault: [Bool] { get }

  /// The values that a new object has in some slots.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a default that can't be stored.
  func defaultValues(_ slots: [Int]) throws(RealmError) -> [StoredValue]
}

extension ModelClass {
  /// The slot of the property with this column.
  package func slot(column: String) -> Int? {
    properties.firstIndex { SQLName.same($0.columnName, column) }
  }
}
