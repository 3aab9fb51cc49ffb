import GRDB
import GRDBSQLite
import StrataSchema
import StrataStorage

/// The functions by which SQL gets the values of a twin, on one connection.
final class TwinFunctions {
  static let value = "strata_twin_value"
  static let any = "strata_twin_any"
  static let typeName = "strata_twin_type"

  let values: TwinValues
  private let classNames: Set<String>
  /// Called with the number of values so far, from time to time.
  private let progress: (_ values: Int) -> Void
  private var count = 0
  /// The number of values that have become other ones.
  private(set) var changedCount = 0

  init(
    _ values: TwinValues, classNames: Set<String>, progress: @escaping (_ values: Int) -> Void
  ) {
    self.values = values
    self.classNames = classNames
    self.progress = progress
  }

  private typealias Implementation =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Removes the functions, which refer to this object.
  func remove(from db: Database) {
    for (name, count, _) in Self.all {
      sqlite3_create_function_v2(
        db.sqliteConnection, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
  }

  /// Adds the functions to a connection.
  func add(to db: Database) throws {
    for (name, count, function) in Self.all {
      let code = sqlite3_create_function_v2(
        db.sqliteConnection, name, count, SQLITE_UTF8, Unmanaged.passUnretained(self).toOpaque(),
        function, nil, nil, nil)
      guard code == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }

  private static var all: [(name: String, arguments: Int32, Implementation)] {
    [
      (
        value, 2,
        { context, _, arguments in
          TwinFunctions.run(context, arguments) { functions, arguments in
            let type = TwinTable.type(sqlite3_value_int64(arguments[1]))
            return functions.values.value(TwinValue(arguments[0]), type)
          }
        }
      ),
      (
        any, 2,
        { context, _, arguments in
          TwinFunctions.run(context, arguments) { functions, arguments in
            let type = withText(of: arguments[1]) { String(decoding: $0, as: UTF8.self) }
            return functions.values.any(TwinValue(arguments[0]), typeName: type)
          }
        }
      ),
      (
        typeName, 1,
        { context, _, arguments in
          TwinFunctions.run(context, arguments) { functions, arguments in
            functions.values.typeName(
              TwinValue(arguments[0]), classNames: functions.classNames)
          }
        }
      ),
    ]
  }

  /// Calls a closure with the arguments of a function, and returns its result to SQLite.
  private static func run(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (TwinFunctions, UnsafeMutablePointer<OpaquePointer?>) -> TwinValue
  ) {
    guard let context, let arguments, let data = sqlite3_user_data(context) else { return }
    let functions = Unmanaged<TwinFunctions>.fromOpaque(data).takeUnretainedValue()
    functions.count += 1
    if functions.count % 4096 == 0 { functions.progress(functions.count) }
    guard sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
      return sqlite3_result_null(context)
    }
    let result = body(functions, arguments)
    if !functions.values.isCollecting, result != TwinValue(arguments[0]) {
      functions.changedCount += 1
    }
    result.returned(in: context)
  }
}

extension TwinValue {
  /// Creates the value of an `sqlite3_value *`.
  fileprivate init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT: self = .text(withText(of: value) { Array($0) } ?? [])
    case SQLITE_BLOB:
      let count = Int(sqlite3_value_bytes(value))
      self = .blob(Array(UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)))
    default: self = .null
    }
  }

  /// Returns the value from the function with a context.
  fileprivate func returned(in context: OpaquePointer) {
    switch self {
    case .null: context.returnStored(.null)
    case .integer(let number): context.returnStored(.integer(number))
    case .real(let number): context.returnStored(.real(number))
    case .text(let bytes): bytes.withUnsafeBufferPointer { context.returnText($0) }
    case .blob(let bytes): context.returnStored(.blob(bytes))
    }
  }
}
