import GRDBSQLite

/// A pointer that a statement hands to a function: to an object of one type, under one name, which
/// SQLite compares. No SQL can make one.
///
/// It counts no reference: the object must live while the statement runs.
struct BoundPointer<Object: AnyObject> {
  private let name: StaticString

  @inline(__always)
  init(_ name: StaticString) { self.name = name }

  @inline(__always)
  private var type: UnsafePointer<CChar> {
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Binds an object to a parameter of an `sqlite3_stmt *`.
  func bind(_ object: Object, to statement: OpaquePointer, at index: Int32) {
    sqlite3_bind_pointer(
      statement, index, Unmanaged.passUnretained(object).toOpaque(), type, nil)
  }

  /// The object of an argument; nil for any other value.
  @inline(__always)
  func object(of argument: OpaquePointer?) -> Unmanaged<Object>? {
    sqlite3_value_pointer(argument, type).map { Unmanaged.fromOpaque($0) }
  }
}
