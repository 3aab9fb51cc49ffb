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

  /// The rows of the file that it works on; a few there are always.
  func rows(of count: Int) -> Int {
    role == .fewRows ? max(100, count / 1_000) : count
  }
}
