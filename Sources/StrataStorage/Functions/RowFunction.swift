import GRDBSQLite

/// The function that hands whole rows to a receiver while SQLite looks for the next one.
///
/// `strata_is_returned(receiver, values…)` is false for a row that the receiver took. It saves
/// the steps, and the questions for columns. SQLite may ask it before other conditions, and so it
/// stands beside none but those that choose a range of identities:
///
/// ```sql
/// SELECT … FROM "Person" WHERE "_id" > ?1 AND strata_is_returned(?2, "_id", "name")
/// ```
package enum RowFunction {
  package static let name = "strata_is_returned"
  /// How many values of a row it takes at most: SQLite allows 100 arguments.
  package static let mostValues = 99
  private static var receiver: BoundPointer<Receiver> { BoundPointer("strata_row_receiver") }

  static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard count > 0, let values,
          let receiver = RowFunction.receiver.object(of: values[0])
        else {
          return sqlite3_result_error(context, "A row needs a receiver.", -1)
        }
        let isTaken = receiver._withUnsafeGuaranteedRef {
          $0.take($0.object, values + 1)
        }
        sqlite3_result_int(context, isTaken ? 0 : 1)
      }, nil, nil, nil)
  }

  /// A taker of rows, in the form in which SQLite hands it over: nothing is retained for a row.
  package final class Receiver {
    /// Takes a row; false for one that the statement is to return.
    ///
    /// SQLite is in the middle of a step: no code of the program may run.
    package typealias Take =
      @convention(c) (
        _ object: UnsafeMutableRawPointer, _ values: UnsafeMutablePointer<OpaquePointer?>
      ) -> Bool

    fileprivate let object: UnsafeMutableRawPointer
    fileprivate let take: Take

    /// - Parameter object: What the closure is given; it must live as long as this.
    package init(_ object: UnsafeMutableRawPointer, _ take: @escaping Take) {
      self.object = object
      self.take = take
    }

    /// Has the next run of a statement hand its rows over; this must live so long.
    package func bind(to statement: RawStatement, at index: Int32) {
      RowFunction.receiver.bind(self, to: statement.sqliteStatement, at: index)
    }
  }
}
