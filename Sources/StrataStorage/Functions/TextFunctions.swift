import Foundation
import GRDBSQLite
package import StrataQuery
import StrataSchema

/// Comparisons of strings that ignore case or accents: `strata_contains(text, part, options)`.
///
/// The part is folded once for each statement, and cached with the statement.
enum TextFunctions {
  /// The cache of a connection: a folder for each set of options, created on demand.
  private final class Memory {
    private var folders: [TextFolder?] = Array(repeating: nil, count: 4)

    func folder(_ options: Int64) -> TextFolder {
      let bits = Int(options & 3)
      if let known = folders[bits] { return known }
      let made = TextFolder(QueryOptions(rawValue: UInt8(bits)))
      folders[bits] = made
      return made
    }
  }

  static func add(to connection: OpaquePointer) {
    let functions: [(String, QueryFunctions.Implementation)] = [
      ("strata_equal", { TextFunctions.compare($0, $1, $2, TextSearch.isEqual) }),
      ("strata_contains", { TextFunctions.compare($0, $1, $2, TextSearch.contains) }),
      ("strata_begins", { TextFunctions.compare($0, $1, $2, TextSearch.begins) }),
      ("strata_ends", { TextFunctions.compare($0, $1, $2, TextSearch.ends) }),
      ("strata_like", { TextFunctions.compare($0, $1, $2, TextSearch.isLike) }),
    ]
    for (name, function) in functions { register(name, 3, function, on: connection) }
    register("strata_fold", 2, { TextFunctions.fold($0, $1, $2) }, on: connection)
  }

  private static func register(
    _ name: String, _ count: Int32, _ function: @escaping QueryFunctions.Implementation,
    on connection: OpaquePointer
  ) {
    // Each function has its own memory, which lives as long as the connection.
    let memory = Unmanaged.passRetained(Memory()).toOpaque()
    sqlite3_create_function_v2(
      connection, name, count, QueryFunctions.flags, memory, function, nil, nil
    ) { memory in
      if let memory { Unmanaged<Memory>.fromOpaque(memory).release() }
    }
  }

  private static func memory(_ context: OpaquePointer) -> Memory? {
    sqlite3_user_data(context).map { Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func compare(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ isTrue: (TextSearch.Bytes, TextSearch.Bytes) -> Bool
  ) {
    guard let context, let memory = memory(context), let arguments = SQLArguments(values),
      !arguments.isNull(0), !arguments.isNull(1)
    else { return sqlite3_result_null(context) }
    let folder = memory.folder(arguments.integer(2))
    let needle = context.cached(1) { Array(folder.fold(arguments.bytes(1))) }
    let text = folder.fold(arguments.bytes(0))
    needle?.withUnsafeBufferPointer { context.returnBool(isTrue(text, $0)) }
  }

  private static func fold(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let context, let memory = memory(context), let arguments = SQLArguments(values),
      !arguments.isNull(0)
    else { return sqlite3_result_null(context) }
    let folded = Array(memory.folder(arguments.integer(1)).fold(arguments.bytes(0)))
    // A blob for data and text for a string: the two are never equal.
    if sqlite3_value_type(arguments[0]) == SQLITE_BLOB {
      context.returnBytes(folded)
    } else {
      context.returnStored(.text(String(decoding: folded, as: UTF8.self)))
    }
  }
}

extension TextFolder {
  /// Creates a folder that decomposes characters like Foundation.
  package convenience init(_ options: QueryOptions) {
    self.init(options) { String($0).decomposedStringWithCanonicalMapping }
  }
}
