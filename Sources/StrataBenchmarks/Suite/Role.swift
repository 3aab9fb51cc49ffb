/// Who does the work of a case.
enum Role: String, Codable {
  /// This library.
  case strata
  /// The same in SQL that SQLite runs as a whole: the least that the work can cost.
  case sql
  /// The same by hand with GRDB, where there is one usual way.
  case grdb
  /// By hand with GRDB: rows from a cursor, each changed with a prepared statement.
  case grdbLoop
  /// By hand with GRDB: rows from a cursor, each inserted into a new table.
  case grdbRebuild
  /// By hand with GRDB, which reads while somebody writes, as this library does.
  case grdbPool
  /// By hand with GRDB's record types.
  case grdbRecords
  /// This library on a thousandth of the rows.
  case fewRows
  /// This library, one change after another.
  case oneByOne
  /// Objects of this library that are in no file.
  case unmanaged

  var title: String {
    switch self {
    case .strata: "Strata"
    case .sql: "SQL"
    case .grdb: "GRDB"
    case .grdbLoop: "GRDB loop"
    case .grdbRebuild: "GRDB rebuild"
    case .grdbPool: "GRDB pool"
    case .grdbRecords: "GRDB records"
    case .fewRows: "1/1000 rows"
    case .oneByOne: "one by one"
    case .unmanaged: "unmanaged"
    }
  }
}
