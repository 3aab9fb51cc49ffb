import GRDBSQLite

/// The function that hands one statement the new values of several rows: SQLite begins and ends a
/// statement in three times the time that it takes to change a row.
///
/// `strata_new_value(identity, identities…, values…)` is the value at the place at which the
/// identity is. The identities ascend.
package enum NewValueFunction {
  package static let name = "strata_new_value"

  package static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, name, -1, QueryFunctions.flags, nil,
      { context, count, values in
        guard let context, let arguments = SQLArguments(values) else { return }
        let rows = Int(count - 1) / 2
        let identity = arguments.integer(0)
        // Rows that follow each other need no search.
        let guess = identity &- arguments.integer(1)
        if guess >= 0, guess < rows, arguments.integer(Int(guess) + 1) == identity {
          return sqlite3_result_value(context, arguments[Int(guess) + 1 + rows])
        }
        var range = 0..<rows
        while !range.isEmpty {
          let middle = (range.lowerBound + range.upperBound) / 2
          let found = arguments.integer(middle + 1)
          if found == identity {
            return sqlite3_result_value(context, arguments[middle + 1 + rows])
          }
          range = found < identity ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        sqlite3_result_error(context, "The row is not among those that are written.", -1)
      }, nil, nil, nil)
  }
}
