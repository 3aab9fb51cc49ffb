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

  static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard count > 0, let values,
          let receiver = sqlite3_value_pointer(values[0], RowFunction.pointerType)
        else {
          return sqlite3_result_error(context, "A row needs a receiver.", -1)
        }
        let isTaken = Unmanaged<Receiver>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
          $0.take($0.object, values + 1)
        }
        sqlite3_result_int(context, isTaken ? 0 : 1)
      }, nil, nil, nil)
  }

  /// What SQLite compares, so that no other pointer is taken for one to a receiver.
  private static var pointerType: UnsafePointer<CChar> {
    let name: StaticString = "strata_row_receiver"
    return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
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

    /// Has a statement hand its rows over until it is reset; this must live so long.
    package func bind(to statement: RawStatement, at index: Int32) {
      sqlite3_bind_pointer(
        statement.sqliteStatement, index, Unmanaged.passUnretained(self).toOpaque(), pointerType,
        nil)
    }
  }
}
