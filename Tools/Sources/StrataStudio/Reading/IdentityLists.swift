import Synchronization

/// The identities of all objects that a question finds, in their order, for jumps to a position:
/// eight bytes for each object, of the last three questions.
///
/// SQLite finds the object at a position by counting those before it, which takes as long as
/// sorting them all.
actor IdentityLists {
  /// Larger answers have no positions.
  static let mostIdentities = 5_000_000
  private static let mostLists = 3
  /// Sorting millions of objects takes longer than a question may.
  private static let longest = Duration.seconds(120)

  private struct Key: Hashable {
    var question: Question
    var version: Int
  }

  /// A list that is being made, or is there.
  private final class Making: Sendable {
    let count = Atomic<Int>(0)
    private let state = Mutex(State())

    private struct State {
      /// Nil inside for too many; nil while it is made.
      var result: Result<[Int64]?, any Error>?
      var task: Task<Void, Never>?
    }

    @inline(never) var result: Result<[Int64]?, any Error>? { state.withLock { $0.result } }

    func begin(_ question: Question, _ reader: FileReader) {
      keep(Task { end(await list(question, reader)) })
    }

    private func list(
      _ question: Question, _ reader: FileReader
    ) async -> Result<[Int64]?, any Error> {
      do {
        return .success(
          try await reader.read(atMost: IdentityLists.longest) { db, schema in
            try PageReader(question, schema, db)
              .identities(atMost: IdentityLists.mostIdentities) { found in
                self.count.store(found, ordering: .relaxed)
              }
          })
      } catch {
        return .failure(error)
      }
    }

    @inline(never) private func keep(_ task: Task<Void, Never>) {
      state.withLock { $0.task = task }
    }

    @inline(never) private func end(_ result: Result<[Int64]?, any Error>) {
      state.withLock { $0.result = result }
    }

    @inline(never) func cancel() { state.withLock { $0.task?.cancel() } }
  }

  private let reader: FileReader
  private var lists: [(key: Key, making: Making)] = []

  init(_ reader: FileReader) { self.reader = reader }

  /// The state of the list of a question.
  enum State: Sendable {
    case ready([Int64])
    /// So many were found so far.
    case making(Int)
  }

  /// The list for a question at a version of the file, begun at the first call.
  ///
  /// - Parameter waiting: How long to wait for it.
  /// - Throws: ``RequestFailure`` with status 422 and code `tooLarge` for too many objects, and
  ///   what reading throws.
  func state(_ question: Question, version: Int, waiting: Duration) async throws -> State {
    let key = Key(question: question, version: version)
    let making = making(key)
    let end = ContinuousClock.now + waiting
    while true {
      switch making.result {
      case .success(let list?): return .ready(list)
      case .success(nil): throw RequestFailure.tooLarge
      case .failure(let error):
        // The next question tries again.
        lists.removeAll { $0.making === making }
        throw error
      case nil: break
      }
      guard ContinuousClock.now < end else {
        return .making(making.count.load(ordering: .relaxed))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The list, if it is there.
  func ready(_ question: Question, version: Int) -> [Int64]? {
    let key = Key(question: question, version: version)
    guard let making = lists.first(where: { $0.key == key })?.making,
      case .success(let list?) = making.result
    else { return nil }
    return list
  }

  func removeAll() {
    for list in lists { list.making.cancel() }
    lists = []
  }

  private func making(_ key: Key) -> Making {
    if let index = lists.firstIndex(where: { $0.key == key }) {
      let found = lists.remove(at: index)
      lists.append(found)
      return found.making
    }
    while lists.count >= Self.mostLists { lists.removeFirst().making.cancel() }
    let made = Making()
    made.begin(key.question, reader)
    lists.append((key, made))
    return made
  }
}

extension RequestFailure {
  static let tooLarge = RequestFailure(
    .unprocessable, "tooLarge",
    "There are more than \(IdentityLists.mostIdentities) objects, too many to jump among them. "
      + "Narrow the question, or scroll.")
}
