public import CStrataRuntime
package import Foundation
package import GRDB
public import GRDBSQLite
package import StrataSchema

/// The values of a statement's current row, each an `sqlite3_value *`. Valid until the statement
/// moves on.
@usableFromInline
package struct RowValues {
  @usableFromInline let statement: OpaquePointer

  /// Creates the values of the current row of an `sqlite3_stmt *`.
  @inlinable @inline(__always)
  package init(of statement: OpaquePointer) { self.statement = statement }

  @inlinable
  package subscript(index: Int32) -> OpaquePointer? {
    @inline(__always) get { sqlite3_column_value(statement, index) }
  }
}

extension NSNumber {
  /// Whether the number was created from an integer that fits into `Int64`.
  package var isInteger: Bool {
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "q"), UInt8(ascii: "l"), UInt8(ascii: "i"), UInt8(ascii: "s"): true
    default: false
    }
  }
}

/// A value of a column or a collection, as stored in the file.
public struct _StoredElement: Hashable, Sendable {
  package var value: StoredValue
  /// The name of the type of an `AnyRealmValue`: nil for none, `<Dog>` for an object.
  package var type: String?

  package init(_ value: StoredValue, type: String? = nil) {
    self.value = value
    self.type = type
  }

  package static let null = _StoredElement(.null)

  /// Whether a file would store the same bytes.
  package func isIdentical(to other: _StoredElement) -> Bool {
    type == other.type && value.isIdentical(to: other.value)
  }
}

extension _StoredElement {
  /// Creates the value of an `AnyRealmValue` from two columns of a row.
  package init(_ row: RowValues, _ column: Int32) {
    self.init(StoredValue(row[column]))
    if case .text(let name) = StoredValue(row[column + 1]) { type = name }
  }

  /// Returns the name in the type column of an `AnyRealmValue` for an object of a class.
  package static func typeName(ofLinkTo className: String) -> String { "<\(className)>" }

  /// The class of the object in an `AnyRealmValue`; nil for other values.
  package var linkedClassName: String? {
    guard let type, type.hasPrefix("<"), type.hasSuffix(">") else { return nil }
    return String(type.dropFirst().dropLast())
  }

  /// Whether the value is a list or a dictionary inside an `AnyRealmValue`.
  package var isNested: Bool { type.map { NestedKind(rawValue: $0) != nil } ?? false }
}

extension StoredValue {
  package init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let value): .integer(value)
      case .double(let value): .real(value)
      case .string(let value): .text(value)
      case .blob(let value): .blob(Array(value))
      }
  }

  var forDatabase: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

// Reading and writing objects calls these functions for each text, so they are inlined into the hot
// path.

/// SQLite copies a value bound with this destructor before the call returns.
@inlinable
package var transient: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

@inlinable @inline(__always)
package func withTextColumn<Result>(
  _ statement: OpaquePointer, _ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
) -> Result? {
  // Reads the value once. The type, the text and the length of a statement's column would look up
  // the value three times.
  withText(of: sqlite3_column_value(statement, index), body)
}

/// Runs a closure with the text of an `sqlite3_value *`. Returns nil for any other value.
@inlinable @inline(__always)
package func withText<Result>(
  of value: OpaquePointer?, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
) -> Result? {
  guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
  let text = sqlite3_value_text(value)
  return body(UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
}

@inlinable @inline(__always)
package func bindText(
  _ text: UnsafeBufferPointer<UInt8>, _ statement: OpaquePointer, _ index: Int32
) -> Bool {
  guard let start = text.baseAddress else {
    // A null pointer would bind NULL.
    return sqlite3_bind_text(statement, index, "", 0, transient) == SQLITE_OK
  }
  if let kept = strata_texts_keep(start, text.count) {
    return sqlite3_bind_text64(
      statement, index, kept, UInt64(text.count), nil, UInt8(SQLITE_UTF8)) == SQLITE_OK
  }
  return start.withMemoryRebound(to: CChar.self, capacity: text.count) {
    sqlite3_bind_text64(
      statement, index, $0, UInt64(text.count), transient, UInt8(SQLITE_UTF8)) == SQLITE_OK
  }
}
