package import StrataSchema

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
