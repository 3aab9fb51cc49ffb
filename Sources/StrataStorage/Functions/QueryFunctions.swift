import Foundation
package import GRDB
import GRDBSQLite
import StrataQuery
package import StrataSchema

/// The functions for queries, added to each connection. No schema uses them, so other programs can
/// read the files.
///
/// They are SQLite's functions, not GRDB's, which convert each argument and can't keep a search
/// text between rows.
package enum QueryFunctions {
  package static func add(to db: Database) {
    guard let connection = db.sqliteConnection else { return }
    TextFunctions.add(to: connection)
    NumberFunctions.add(to: connection)
    NestedSQLFunctions.add(to: connection)
    NewValueFunction.add(to: connection)
    GeoFunction.add(to: connection)
    db.add(collation: decimals)
  }

  typealias Implementation =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  typealias Final = @convention(c) (OpaquePointer?) -> Void

  /// The same arguments give the same result.
  package static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC

  /// Adds a function that needs no memory.
  static func add(
    _ name: String, _ count: Int32, to connection: OpaquePointer,
    _ function: @escaping Implementation
  ) {
    sqlite3_create_function_v2(connection, name, count, flags, nil, function, nil, nil, nil)
  }

  /// The name of the collation by which queries sort decimals.
  package static let decimalOrder = "strata_decimal"

  private static let decimals = DatabaseCollation(decimalOrder) { first, second in
    guard let first = Decimal128(first), let second = Decimal128(second), first != second else {
      return .orderedSame
    }
    // NaN, which has no order, is first.
    if first.isNaN { return second.isNaN ? .orderedSame : .orderedAscending }
    if second.isNaN { return .orderedDescending }
    return first < second ? .orderedAscending : .orderedDescending
  }
}

struct SQLArguments {
  private let values: UnsafeMutablePointer<OpaquePointer?>

  init?(_ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let values else { return nil }
    self.values = values
  }

  subscript(index: Int) -> OpaquePointer? { values[index] }

  func isNull(_ index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_NULL }

  func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

  /// Returns the bytes of a text or a blob, valid until the function returns.
  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let value = values[index]
    if sqlite3_value_type(value) == SQLITE_BLOB {
      let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
      return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Returns the value; NULL for types that no column has.
  func stored(_ index: Int) -> StoredValue { StoredValue(values[index]) }
}

extension OpaquePointer {
  /// Returns a value from the function whose context this is.
  package func returnStored(_ value: StoredValue) {
    switch value {
    case .null: sqlite3_result_null(self)
    case .integer(let value): sqlite3_result_int64(self, value)
    case .real(let value): sqlite3_result_double(self, value)
    case .text(var text): text.withUTF8 { returnText($0) }
    case .blob(let bytes): returnBytes(bytes)
    }
  }

  package func returnText(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else {
      // A null pointer would be NULL.
      return sqlite3_result_text(self, "", 0, nil)
    }
    start.withMemoryRebound(to: CChar.self, capacity: text.count) {
      sqlite3_result_text64(self, $0, UInt64(text.count), transient, UInt8(SQLITE_UTF8))
    }
  }

  func returnBytes(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      if $0.isEmpty {
        sqlite3_result_zeroblob(self, 0)
      } else {
        sqlite3_result_blob64(self, $0.baseAddress, UInt64($0.count), transient)
      }
    }
  }

  func returnBool(_ value: Bool) { sqlite3_result_int(self, value ? 1 : 0) }

  /// Returns what a function has made of an argument, which SQLite caches while the argument is a
  /// constant.
  @inline(__always)
  func cached<Value>(_ argument: Int32, _ make: () -> Value?) -> Value? {
    if let known = sqlite3_get_auxdata(self, argument) {
      return Unmanaged<CachedValue<Value>>.fromOpaque(known).takeUnretainedValue().value
    }
    guard let value = make() else { return nil }
    let object = Unmanaged.passRetained(CachedValue(value))
    sqlite3_set_auxdata(self, argument, object.toOpaque()) {
      if let object = $0 { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
    return value
  }
}

private final class CachedValue<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// The function that checks whether a point is in an area: `strata_within(longitude, latitude,
/// area)`.
///
/// The area is parsed once for each statement, and kept with it.
enum GeoFunction {
  static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, "strata_within", 3, QueryFunctions.flags, nil,
      { context, _, values in
        guard let context, let arguments = SQLArguments(values), !arguments.isNull(0),
          !arguments.isNull(1),
          let region = context.cached(2, { GeoShape(text: arguments.text(2)).map(GeoRegion.init) })
        else { return sqlite3_result_null(context) }
        context.returnBool(
          region.contains(
            longitude: sqlite3_value_double(arguments[0]),
            latitude: sqlite3_value_double(arguments[1])))
      }, nil, nil, nil)
  }
}

/// The functions that pass the new values of several rows to one statement. SQLite takes three
/// times as long to begin and end a statement as to change a row.
///
/// `strata_new_value(source, identity, column)` returns the source's value for the row, or a fourth
/// argument if the source has none. `strata_has_value(source, identity)` returns whether the source
/// has values for the row.
///
/// ```sql
/// UPDATE "Person" SET "age" = strata_new_value(?1, "_id", 0) WHERE "_id" BETWEEN ?2 AND ?3
/// ```
package enum NewValueFunction {
  private static let name = "strata_new_value"
  private static let nameOfTest = "strata_has_value"
  private static var source: BoundPointer<Source> { BoundPointer("strata_new_values") }

  /// Returns the SQL of a row's new value.
  ///
  /// - Parameter otherwise: The SQL of the value without a new one; nil if there always is one.
  package static func value(
    of identity: String, column: Int, source: String, otherwise: String? = nil
  ) -> String {
    "\(name)(\(source), \(identity), \(column)\(otherwise.map { ", \($0)" } ?? ""))"
  }

  /// Returns the SQL of whether a row has new values.
  static func hasValues(of identity: String, source: String) -> String {
    "\(nameOfTest)(\(source), \(identity))"
  }

  static func add(to connection: OpaquePointer) {
    for count in [CInt(3), 4] {
      add(name, count, to: connection) { context, count, values in
        guard let context, let arguments = SQLArguments(values),
          let source = NewValueFunction.source.object(of: arguments[0])
        else { return NewValueFunction.refuse(context) }
        let isGiven = source._withUnsafeGuaranteedRef {
          $0.give($0.object, arguments.integer(1), Int(arguments.integer(2)), context)
        }
        if isGiven { return }
        guard count > 3 else {
          return sqlite3_result_error(context, "The source has no value for the row.", -1)
        }
        sqlite3_result_value(context, arguments[3])
      }
    }
    add(nameOfTest, 2, to: connection) { context, _, values in
      guard let context, let arguments = SQLArguments(values),
        let source = NewValueFunction.source.object(of: arguments[0])
      else { return NewValueFunction.refuse(context) }
      context.returnBool(
        source._withUnsafeGuaranteedRef { $0.has($0.object, arguments.integer(1)) })
    }
  }

  private static func add(
    _ name: String, _ count: CInt, to connection: OpaquePointer,
    _ function: @escaping QueryFunctions.Implementation
  ) {
    sqlite3_create_function_v2(
      connection, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, function, nil, nil, nil)
  }

  private static func refuse(_ context: OpaquePointer?) {
    sqlite3_result_error(context, "New values need a source.", -1)
  }

  /// A source of values, in the form that SQLite passes: no row retains anything.
  package final class Source {
    /// Returns the value of a column of a row as the result of the function with the given context.
    /// Returns false if SQLite can't store the value.
    package typealias Give =
      @convention(c) (
        _ object: UnsafeMutableRawPointer, _ identity: Int64, _ column: Int,
        _ context: OpaquePointer
      ) -> Bool

    /// Returns whether there are values for a row.
    package typealias Has =
      @convention(c) (_ object: UnsafeMutableRawPointer, _ identity: Int64) -> Bool

    fileprivate let object: UnsafeMutableRawPointer
    fileprivate let has: Has
    fileprivate let give: Give

    /// - Parameter object: The first argument of the closures. The object must live as long as this
    ///   source.
    package init(
      _ object: UnsafeMutableRawPointer, has: @escaping Has = { _, _ in true },
      give: @escaping Give
    ) {
      self.object = object
      self.has = has
      self.give = give
    }

    /// Binds the source for the next run of a statement. The source must live until the run ends.
    package func bind(to statement: OpaquePointer, at index: Int32) {
      NewValueFunction.source.bind(self, to: statement, at: index)
    }
  }
}

/// The functions that read lists and dictionaries inside an `AnyRealmValue`. Queries and migrations
/// call them; no schema does.
enum NestedSQLFunctions {
  static func add(to connection: OpaquePointer) {
    QueryFunctions.add("strata_nested_value", 3, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values) else { return }
      context.returnStored(NestedSQLFunctions.value(arguments)?.stored ?? .null)
    }
    QueryFunctions.add("strata_nested_type", 3, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values) else { return }
      let name = NestedSQLFunctions.value(arguments)?.typeName
      context.returnStored(name.map { .text($0) } ?? .null)
    }
    QueryFunctions.add("strata_nested_all", 3, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values) else { return }
      guard !arguments.isNull(1) else { return context.returnStored(.text("[]")) }
      context.returnStored(
        .text(
          NestedFunctions.all(
            arguments.stored(0), arguments.text(1), at: arguments.text(2))))
    }
    // The fourth argument is NULL if the links become nil.
    QueryFunctions.add("strata_nested_relinked", 4, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values), !arguments.isNull(1) else {
        return sqlite3_result_null(context)
      }
      let text = NestedFunctions.relinked(
        arguments.stored(0), arguments.text(1), from: arguments.text(2),
        to: arguments.isNull(3) ? nil : arguments.text(3))
      context.returnStored(text.map { .text($0) } ?? arguments.stored(0))
    }
    // The fourth argument is NULL for any object of the class.
    QueryFunctions.add("strata_nested_links", 4, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values), !arguments.isNull(1) else {
        return sqlite3_result_int(context, 0)
      }
      let hasLink = NestedFunctions.links(
        arguments.stored(0), arguments.text(1), to: arguments.text(2),
        row: arguments.isNull(3) ? nil : arguments.integer(3))
      context.returnStored(.integer(hasLink ? 1 : 0))
    }
  }

  private static func value(_ arguments: SQLArguments) -> NestedValue? {
    guard !arguments.isNull(0), !arguments.isNull(1) else { return nil }
    return NestedFunctions.value(
      arguments.stored(0), arguments.text(1), at: arguments.text(2))
  }
}

/// A pointer that a statement passes to a function: to an object of one type, under a name that
/// SQLite compares. SQL can't create such a pointer.
///
/// The pointer doesn't retain the object, which must live while the statement runs.
struct BoundPointer<Object: AnyObject> {
  private let name: StaticString

  @inline(__always)
  init(_ name: StaticString) { self.name = name }

  func bind(_ object: Object, to statement: OpaquePointer, at index: Int32) {
    sqlite3_bind_pointer(
      statement, index, Unmanaged.passUnretained(object).toOpaque(), name.utf8CString, nil)
  }

  /// Returns the object of an argument; nil for any other value.
  @inline(__always)
  func object(of argument: OpaquePointer?) -> Unmanaged<Object>? {
    sqlite3_value_pointer(argument, name.utf8CString).map { Unmanaged.fromOpaque($0) }
  }
}

extension StaticString {
  /// The bytes as a C string.
  @inline(__always)
  var utf8CString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
