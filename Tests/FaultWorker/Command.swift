import Foundation
import Strata

/// The parsed arguments of the process.
struct Command {
  private let verb: String
  private let job: Job
  private let file: URL
  private let options: [String]

  struct Misunderstood: Error {
    var arguments: [String]
  }

  init(_ arguments: some Collection<String>) throws {
    let words = Array(arguments)
    guard words.count >= 3, let job = Job.all[words[1]] else {
      throw Misunderstood(arguments: words)
    }
    verb = words[0]
    self.job = job
    file = URL(fileURLWithPath: words[2])
    options = Array(words.dropFirst(3))
  }

  func run() throws {
    switch verb {
    case "prepare": try job.prepare(file)
    case "prepare-hot": try prepareHot()
    case "run": try runWithFault()
    case "serve": serve()
    case "repeat":
      let numbers = options.compactMap { Int($0) }
      let (times, reports) = (numbers.first ?? 1_000, numbers.dropFirst().first ?? 10)
      try Repetition(job, file, times: times, reports: reports).run()
    default: throw Misunderstood(arguments: [verb])
    }
  }

  /// Leaves a WAL behind with transactions that are not in the main file, as a crash does.
  private func prepareHot() throws {
    try job.prepare(file)
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.write { realm.create(Before.Account.self, value: ["number": 700]) }
    kill(getpid(), SIGKILL)
  }

  /// When the job fails it says so, waits until its parent has looked at the file, and tries again
  /// without the fault, in the same process.
  private func runWithFault() throws {
    try Fault(options).begin(in: file.deletingLastPathComponent())
    do {
      try job.run(file)
      Fault.promise("done")
    } catch {
      say("failed \(Self.description(error))")
      _ = readLine()
      Fault.end()
      try job.run(file)
    }
    say("done after \(Fault.eventCount) events")
  }

  /// Does the job with each file whose path it reads, one after the other.
  private func serve() {
    Fault.skipSyncs()
    while let path = readLine() {
      do {
        try job.run(URL(fileURLWithPath: path))
        say("done")
      } catch {
        say("failed \(Self.description(error))")
      }
    }
  }

  private static func description(_ error: any Error) -> String {
    guard let error = error as? Realm.Error else { return "with \(type(of: error)): \(error)" }
    return "\(error.code): \(error.message)"
  }
}

/// Tells whoever started the process, at once.
func say(_ line: String) {
  print(line.replacing("\n", with: " "))
  fflush(nil)
}
