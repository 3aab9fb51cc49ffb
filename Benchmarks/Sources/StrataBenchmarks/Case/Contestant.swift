import Foundation

/// One way to do the work of a case.
struct Contestant {
  let role: Role
  let run: (Trial) throws -> Void

  /// Everything is measured, from opening the file to having closed it.
  init(_ role: Role, whole: @escaping (_ file: URL) throws -> Void) {
    self.init(role) { trial in try trial.time { try whole(trial.file) } }
  }

  /// What the closure passes to ``Trial/time(_:)`` is measured.
  init(_ role: Role, _ run: @escaping (Trial) throws -> Void) {
    self.role = role
    self.run = run
  }

  /// The rows of the file that it works on; there are always a few.
  func rows(of count: Int) -> Int {
    role == .fewRows ? max(100, count / 1_000) : count
  }
}

/// The part that a contestant has in a case.
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
  /// By hand with GRDB, which reads during a write, as this library does.
  case grdbPool
  /// By hand with GRDB's record types.
  case grdbRecords
  /// This library on a thousandth of the rows.
  case fewRows
  /// This library, one change after another.
  case oneByOne
  /// Objects of this library that are in no file.
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
  /// This library, with nothing observed.
  case unobserved
  /// This library, with one observer.
  case oneObserver
  /// This library, on a file without a history.
  case withoutHistory
  /// This library, with a history that doesn't note other programs.
  case ownHistory
  /// This library, on a file whose history has nothing that goes.
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

/// One run of a contestant, on a file of its own.
final class Trial {
  let file: URL
  /// The rows of the file.
  let rows: Int
  private(set) var seconds = 0.0
  /// A value that depends on all that was read. It must be the same for all contestants.
  var answer = 0

  init(file: URL, rows: Int) {
    self.file = file
    self.rows = rows
  }

  /// Does a part of the work that counts.
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
