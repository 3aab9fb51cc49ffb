public import CStrataRuntime
public import GRDBSQLite

// Reading and writing objects goes through these for each text, so they are inlined into the hot
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
  // The value itself: asking the statement for its type, its text and its length looks for the
  // value three times.
  withText(of: sqlite3_column_value(statement, index), body)
}

/// Runs a closure with the text of an `sqlite3_value *`; nil for any other value.
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
