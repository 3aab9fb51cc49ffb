import GRDBSQLite
import StrataSchema

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

  @inline(__always)
  private var type: UnsafePointer<CChar> {
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  func bind(_ object: Object, to statement: OpaquePointer, at index: Int32) {
    sqlite3_bind_pointer(
      statement, index, Unmanaged.passUnretained(object).toOpaque(), type, nil)
  }

  /// Returns the object of an argument; nil for any other value.
  @inline(__always)
  func object(of argument: OpaquePointer?) -> Unmanaged<Object>? {
    sqlite3_value_pointer(argument, type).map { Unmanaged.fromOpaque($0) }
  }
}
