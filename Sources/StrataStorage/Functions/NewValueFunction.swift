import GRDBSQLite

/// The function that passes the new values of several rows to one statement. SQLite takes three
/// times as long to begin and end a statement as to change a row.
///
/// `strata_new_value(source, identity, column)` returns the source's value for the row:
///
/// ```sql
/// UPDATE "Person" SET "age" = strata_new_value(?1, "_id", 0) WHERE "_id" BETWEEN ?2 AND ?3
/// ```
package enum NewValueFunction {
  package static let name = "strata_new_value"
  private static var source: BoundPointer<Source> { BoundPointer("strata_new_values") }

  static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, name, 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let context, let arguments = SQLArguments(values),
          let source = NewValueFunction.source.object(of: arguments[0])
        else {
          return sqlite3_result_error(context, "New values need a source.", -1)
        }
        let isGiven = source._withUnsafeGuaranteedRef {
          $0.give($0.object, arguments.integer(1), Int(arguments.integer(2)), context)
        }
        if !isGiven { sqlite3_result_error(context, "The source has no value for the row.", -1) }
      }, nil, nil, nil)
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

    fileprivate let object: UnsafeMutableRawPointer
    fileprivate let give: Give

    /// - Parameter object: The first argument of the closure. It must live as long as this source.
    package init(_ object: UnsafeMutableRawPointer, _ give: @escaping Give) {
      self.object = object
      self.give = give
    }

    /// Binds the source for the next run of a statement. The source must live until the run ends.
    package func bind(to statement: OpaquePointer, at index: Int32) {
      NewValueFunction.source.bind(self, to: statement, at: index)
    }
  }
}
