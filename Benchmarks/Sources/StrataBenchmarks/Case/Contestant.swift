import Foundation

/// One implementation of a case.
struct Contestant {
  let role: Role
  let run: (Trial) throws -> Void

  /// Measures everything from opening to closing the file.
  init(_ role: Role, whole: @escaping (_ file: URL) throws -> Void) {
    self.init(role) { trial in try trial.time { try whole(trial.file) } }
  }

  /// Measures only the calls of ``Trial/time(_:)`` in the closure.
  init(_ role: Role, _ run: @escaping (Trial) throws -> Void) {
    self.role = role
    self.run = run
  }

  /// The number of rows in the contestant's file.
  func rows(of count: Int) -> Int {
    role == .fewRows ? max(100, count / 1_000) : count
  }
}

/// The role of a contestant in a case.
enum Role: String, Codable {
  /// This library.
  case strata
  /// SQL that SQLite runs as a whole: a lower bound.
  case sql
  /// GRDB, if there is one usual way to use it.
  case grdb
  /// GRDB: a cursor, and a prepared statement that changes each row.
  case grdbLoop
  /// GRDB: a cursor, and each row is inserted into a new table.
  case grdbRebuild
  /// GRDB's pool, which reads during a write, as this library does.
  case grdbPool
  /// GRDB's record types.
  case grdbRecords
  /// This library on a thousandth of the rows.
  case fewRows
  /// This library, one change after another.
  case oneByOne
  /// This library's unmanaged objects.
  case unmanaged
  /// This library without a condition.
  case unfiltered
  /// This library, by the primary key.
  case byKey
  /// This library, in a loop.
  case loop
  /// This library, with one class.
  case oneClass
  /// This library, on one thread.
  case oneThread
  /// This library, without observers.
  case unobserved
  /// This library, with one observer.
  case oneObserver
  /// This library, on a file without a history.
  case withoutHistory
  /// This library, with a history that doesn't record changes of other programs.
  case ownHistory
  /// This library, on a file whose history has nothing to prune.
  case nothingOld

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
    case .unfiltered: "unfiltered"
    case .byKey: "by key"
    case .loop: "loop"
    case .oneClass: "one class"
    case .oneThread: "one thread"
    case .unobserved: "not observed"
    case .oneObserver: "one observer"
    case .withoutHistory: "without a history"
    case .ownHistory: "others not noted"
    case .nothingOld: "nothing old"
    }
  }
}

/// One run of a contestant, on its own copy of the file.
final class Trial {
  let file: URL
  /// The number of rows in the file.
  let rows: Int
  private(set) var seconds = 0.0
  /// A value that depends on everything that was read. The value must be the same for all
  /// contestants.
  var answer = 0

  init(file: URL, rows: Int) {
    self.file = file
    self.rows = rows
  }

  /// Runs and measures a part of the work.
  func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    defer { seconds += Self.seconds(clock.now - start) }
    return try body()
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
