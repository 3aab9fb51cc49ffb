import Foundation

/// A process meets a fault and has to live with it: it throws an error, leaves the file as it was,
/// and can go on when the fault is over.
enum Failure {
  enum Outcome { case succeeded, failed }

  /// Tries one fault.
  ///
  /// - Parameter isPossiblyDone: Whether an error may be thrown after the work is done, for example
  ///   because the file can't be read again.
  /// - Throws: ``Wrong`` for any other outcome.
  static func run(
    _ scenario: Scenario, _ fault: [String], isPossiblyDone: Bool, advice: [String]
  ) throws -> Outcome {
    let folder = try scenario.newFolder()
    let worker = try Worker("run", scenario.job, folder, fault)
    guard let line = worker.line() else { throw Wrong("it ends: \(worker.ending())") }
    guard line.hasPrefix("failed ") else {
      let ending = worker.ending()
      guard line.hasPrefix("done "), ending.status == 0 else {
        throw Wrong("it says '\(line)', \(ending)")
      }
      try expect(.after, scenario, folder, "it says that it is done, and")
      return .succeeded
    }
    let problems = problems(of: line, folder.file, advice)
    let state = try scenario.state(of: folder.file)
    let leftovers = try folder.leftovers()
    worker.proceed()
    let again = worker.line()
    let ending = worker.ending()
    if !problems.isEmpty { throw Wrong("\(problems): \(line)") }
    guard leftovers.isEmpty else { throw Wrong("it leaves \(leftovers): \(line)") }
    guard state == .before || isPossiblyDone || scenario.before == scenario.after else {
      throw Wrong("it has thrown, and the work is done: \(line)")
    }
    guard again?.hasPrefix("done ") == true, ending.status == 0 else {
      throw Wrong("it can't go on after \(line): '\(again ?? "nothing")', \(ending)")
    }
    if state == .after, scenario.job.hasPrefix("write") { return .failed }
    try expect(.after, scenario, folder, "it has gone on, and")
    return .failed
  }

  private static func expect(
    _ expected: Scenario.State, _ scenario: Scenario, _ folder: Folder, _ start: String
  ) throws {
    let state = try scenario.state(of: folder.file)
    guard state == expected || scenario.before == scenario.after else {
      throw Wrong("\(start) the file is as \(state)")
    }
  }

  /// The problems of an error message: a missing place or advice.
  private static func problems(of line: String, _ file: URL, _ advice: [String]) -> [String] {
    var problems: [String] = []
    if line.contains("failed with ") { problems.append("it is no Realm.Error") }
    if !line.contains(file.path) { problems.append("it doesn't say where") }
    if !advice.contains(where: line.contains) { problems.append("it doesn't say what to do") }
    return problems
  }
}
