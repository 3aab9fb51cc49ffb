import Foundation
import Strata
import StrataStorage
import StrataStudio

/// The settings of `strata follow`.
struct FollowSettings {
  var source: FollowSource
  var folder: ReplicaFolder
  /// The interval at which Litestream polls the source, in seconds.
  var interval: Double
  /// The time limit of the first restore, and of each question.
  var timeout: Duration
  var retention: PublicationRetention
  /// Whether SQLite checks every page before a publication.
  var checks: Bool
  /// How many bytes are published in a minute; nil for no limit.
  var bytesPerMinute: Int?
  /// Whether the command ends after one publication.
  var once: Bool

  /// Returns the time to wait after a publication of a size.
  func pause(after bytes: Int) -> Duration {
    bytesPerMinute.map { .seconds(60) * Double(bytes) / Double($0) } ?? .zero
  }
}

/// The follower of a replica of Litestream: publishes the contents of its private file.
///
/// Litestream changes the private file in place, under SQLite's locks. The follower copies it while
/// it holds those locks. It publishes the copy only if Litestream still ran afterwards: a
/// Litestream that is killed while it writes leaves half of the changes.
final class Follower {
  private let settings: FollowSettings
  private let program: LitestreamProgram
  private let report: (FollowedPublication) throws -> Void
  private let privateFile: PrivateFile
  private var folder: ReplicaFolder { settings.folder }
  private var childFile: URL { folder.followFolder.appendingPathComponent("child") }
  private var state: FollowerState
  private var positions = FollowedPositions()
  private var child: LitestreamChild?
  private var question: LitestreamQuestion?
  private var nextQuestion = ContinuousClock.now
  private var restarts = Restarts()
  private var nextAttempt = ContinuousClock.now
  /// Whether the reported problem is a question without an answer.
  private var isUnanswered = false
  /// The time when the source last answered, or sent something.
  private var lastSuccess = ContinuousClock.now

  /// The interval at which the source is asked for its newest transaction.
  private static let questionInterval = Duration.seconds(10)
  /// The interval if an answer is all that the follower waits for.
  private static let soon = Duration.milliseconds(200)
  /// The time that Litestream may bring nothing while the source has more, before it is restarted.
  private static let standstillLimit = Duration.seconds(60)
  /// The time between two checks of contents that a former primary still writes.
  private static let refusalInterval = Duration.seconds(30)
  /// The time to wait for Litestream to release its locks on the private file.
  private static let lockPatience = Duration.seconds(5)

  /// - Parameter report: Called after each publication.
  init(
    _ settings: FollowSettings, _ program: LitestreamProgram,
    report: @escaping (FollowedPublication) throws -> Void
  ) throws {
    self.settings = settings
    self.program = program
    self.report = report
    privateFile = PrivateFile(folder: settings.folder.followFolder)
    state = FollowerState(source: settings.source.shown)
    // Ends a process that an earlier follower left running: it would still write to the private
    // file.
    _ = try ChildLock(childFile)
    // A version of another source has another source's position.
    if let name = try settings.folder.currentName(), let known = settings.folder.state(),
      known.position == "\(name)", known.source == state.source
    {
      state.sentAt = known.sentAt
      state.checkedAt = known.checkedAt.flatMap { $0 <= Date() ? $0 : nil }
      state.publishedAt = known.publishedAt
      state.position = known.position
      if let position = UInt64(name.base, radix: 16) { positions.publish(position) }
    }
  }

  /// Follows until Control-C or a signal; with `once`, until the first publication.
  func run() throws {
    defer {
      child?.end()
      question?.end()
    }
    while !Interruption.isInterrupted {
      do {
        try superviseChild()
        try look()
        try ask()
        if settings.once, positions.areNewest { return }
      } catch let damage as PrivateFile.Damage {
        positions.unpublish()
        try startAnew(damage.reason)
      }
      usleep(useconds_t(min(settings.interval, 0.05) * 1_000_000))
    }
  }

  // MARK: The process of Litestream

  private func superviseChild() throws {
    guard let child else {
      guard restarts.isTime else { return }
      // An earlier process may have left half of a transaction. Litestream 0.5.17 also resumes with
      // a file only if there were no transactions since its last snapshot.
      privateFile.delete()
      do {
        self.child = try LitestreamChild(
          program, settings.source, to: privateFile.url, interval: settings.interval,
          ChildLock(childFile))
      } catch let error as RealmError where error.code == .outOfDiskSpace {
        try startAnew(error.message)
      }
      return
    }
    guard child.isRunning else {
      child.end()
      return try startAnew(LitestreamFailure(line: child.lastLine).text)
    }
    let position = privateFile.position
    if position == nil, ContinuousClock.now - child.started > settings.timeout {
      try startAnew(LitestreamFailure.noAnswer(for: settings.timeout).text)
      return
    }
    // Litestream has no timeout for a connection that hangs.
    let now = ContinuousClock.now
    let limit = max(Self.standstillLimit, settings.timeout)
    if let start = positions.standstill(at: position, now: now), now - start > limit {
      try startAnew(LitestreamFailure.standstill(for: limit).text)
    }
  }

  /// Deletes the private file. A new restore starts after a delay.
  private func startAnew(_ reason: String) throws {
    child?.end()
    child = nil
    privateFile.delete()
    positions.startAnew()
    restarts.fail()
    try showProblem(reason)
  }

  /// Writes the problem to the folder, and once to the error output.
  private func showProblem(_ reason: String) throws {
    let problem = "The follower can't read '\(settings.source.shown)': \(reason)"
    if !settings.once, state.problem != problem { Output.writeError("strata: \(problem)\n") }
    state.setProblem(RealmError(.fileAccess, problem))
    try writeState()
    if settings.once { throw CommandFailure(.inputOutput, problem) }
  }

  private func writeState() throws {
    do {
      try folder.write(state)
    } catch let error as RealmError where error.code == .outOfDiskSpace {
      // The state is only informational; the next write may find space.
      Output.writeError("strata: \(error.message)\n")
    }
  }

  // MARK: Publishing

  private func look() throws {
    guard let child, let position = privateFile.position, positions.isNew(position),
      ContinuousClock.now >= nextAttempt
    else { return }
    let start = ContinuousClock.now
    do {
      guard let entry = try publish(position, while: child) else {
        nextAttempt = .now + .seconds(settings.interval)
        return
      }
      restarts.succeed()
      lastSuccess = .now
      let size = try InputFile(folder.file(entry.name).path).size
      nextAttempt = start + settings.pause(after: size)
      try report(
        FollowedPublication(
          name: "\(entry.name)", publishedAt: entry.publishedAt, size: size,
          duration: .now - start))
    } catch let error as RealmError {
      // The disk is full, or the file belongs to another library. Earlier publications stay.
      nextAttempt = .now + .seconds(max(1, settings.interval))
      if settings.once { throw error }
      if state.problem != error.message { Output.writeError("strata: \(error.message)\n") }
      state.setProblem(error)
      try writeState()
      guard error.code == .otherPrimary else { return }
      positions.refuse(position, error)
      nextAttempt = .now + Self.refusalInterval
    }
  }

  /// - Returns: Nil if Litestream didn't release the file, resumed writing, or has ended.
  private func publish(
    _ position: UInt64, while child: LitestreamChild
  ) throws -> ReplicaFolder.Entry? {
    struct NotNow: Error {}
    let entry: ReplicaFolder.Entry
    do {
      entry = try folder.publish(PublicationName(position: position)) { part in
        guard try privateFile.copy(to: part, patience: Self.lockPatience) == position else {
          throw NotNow()
        }
        // A process that ends releases its locks a moment before its end is visible.
        usleep(5_000)
        guard child.isRunning else { throw NotNow() }
        try PrivateFile.check(part, thoroughly: settings.checks)
      }
    } catch is NotNow {
      return nil
    }
    positions.publish(position)
    state.position = "\(entry.name)"
    state.publishedAt = entry.publishedAt
    state.sentAt = nil
    state.setProblem(nil)
    positions.settle(&state)
    try writeState()
    try folder.prune(settings.retention)
    return entry
  }

  // MARK: Questions

  private func ask() throws {
    if let question {
      guard let answered = question.answered else { return }
      self.question = nil
      try take(answered, of: question)
    } else if child != nil, ContinuousClock.now >= nextQuestion {
      nextQuestion = .now + Self.questionInterval
      question = LitestreamQuestion(
        program, settings.source, at: privateFile.position, timeout: settings.timeout)
    }
  }

  private func take(
    _ answered: LitestreamQuestion.Result, of question: LitestreamQuestion
  ) throws {
    switch answered {
    case .failure(let failure): try take(failure)
    case .success(let answer):
      guard let newest = answer.newest else {
        try take(.noTransactions)
        break
      }
      lastSuccess = .now
      if isUnanswered {
        state.setProblem(positions.refusal)
        isUnanswered = false
      }
      if let position = question.position, position > newest {
        // The replica was recreated. Litestream would wait for a position that comes much later.
        throw PrivateFile.Damage(
          reason:
            "its newest transaction, \(PublicationName(position: newest).base), is older than the "
            + "one that was restored")
      }
      positions.take(answer, askedAt: question.askedAt)
      state.newestPosition = PublicationName(position: newest).base
      positions.settle(&state)
      if positions.areNewest { state.setProblem(positions.refusal) }
      if settings.once, !positions.areNewest { nextQuestion = .now + Self.soon }
    }
    try writeState()
    try folder.prune(settings.retention)
  }

  private func take(_ failure: LitestreamFailure) throws {
    // Until the first restore is complete, its process reports what is wrong.
    guard privateFile.position != nil, ContinuousClock.now - lastSuccess > settings.timeout else {
      return
    }
    isUnanswered = true
    try showProblem(failure.text)
  }
}

/// The delays between attempts: 1, 2, 4, … 60 s.
struct Restarts {
  private var count = 0
  private var next = ContinuousClock.now

  var isTime: Bool { ContinuousClock.now >= next }

  /// The delay after a number of failures in a row.
  static func wait(after failures: Int) -> Duration {
    .seconds(min(60, 1 << min(failures - 1, 6)))
  }

  mutating func fail() {
    count += 1
    next = .now + Self.wait(after: count)
  }

  mutating func succeed() { count = 0 }
}
