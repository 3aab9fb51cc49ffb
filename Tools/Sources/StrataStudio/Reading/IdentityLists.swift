import Synchronization

/// The sorted identities of all objects of a query, for jumps to a position. Takes eight bytes for
/// each object, for the last three queries.
///
/// SQLite finds the object at an offset by counting the objects before it, which takes as long as
/// sorting all of them.
actor IdentityLists {
  /// The maximum size of a list. Larger answers don't support positions.
  static let maxIdentities = 5_000_000
  private static let maxLists = 3
  /// The time limit, which is longer than usual: sorting millions of objects takes time.
  private static let maxTime = Duration.seconds(120)

  private struct Key: Hashable {
    var question: Question
    var version: Int
  }

  /// A list, or the task that makes it.
  private final class Making {
    let count = Count()
    /// Nil while the list is being made. Success with nil means that there are too many objects.
    var result: Result<[Int64]?, any Error>?
    var task: Task<Void, Never>?
  }

  /// The number of objects that were read so far.
  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }

  private let reader: FileReader
  private var lists: [(key: Key, making: Making)] = []

  init(_ reader: FileReader) { self.reader = reader }

  /// The state of the list of a question.
  enum State: Sendable {
    case ready([Int64])
    /// The number of objects that were read so far.
    case making(Int)
  }

  /// Returns the list of a query at a version of the file; the first call starts to make it.
  ///
  /// - Parameter waiting: The time to wait for the list.
  /// - Throws: ``RequestFailure`` with status 422 and code `tooLarge` for too many objects, and the
  ///   errors of reading.
  func state(_ question: Question, version: Int, waiting: Duration) async throws -> State {
    let key = Key(question: question, version: version)
    let making = making(key)
    let end = ContinuousClock.now + waiting
    while true {
      switch making.result {
      case .success(let list?): return .ready(list)
      case .success(nil): throw RequestFailure.tooLarge
      case .failure(let error):
        // The next request tries again.
        lists.removeAll { $0.making === making }
        throw error
      case nil: break
      }
      guard ContinuousClock.now < end else {
        return .making(making.count.value.load(ordering: .relaxed))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Returns the list if it is complete.
  func ready(_ question: Question, version: Int) -> [Int64]? {
    let key = Key(question: question, version: version)
    guard let making = lists.first(where: { $0.key == key })?.making,
      case .success(let list?) = making.result
    else { return nil }
    return list
  }

  func removeAll() {
    for list in lists { list.making.task?.cancel() }
    lists = []
  }

  private func making(_ key: Key) -> Making {
    if let index = lists.firstIndex(where: { $0.key == key }) {
      let found = lists.remove(at: index)
      lists.append(found)
      return found.making
    }
    while lists.count >= Self.maxLists { lists.removeFirst().making.task?.cancel() }
    let made = Making()
    made.task = Task { await make(made, key.question) }
    lists.append((key, made))
    return made
  }

  private func make(_ making: Making, _ question: Question) async {
    let count = making.count
    do {
      making.result = .success(
        try await reader.read(atMost: Self.maxTime) { db, schema in
          try PageReader(question, schema, db).identities(atMost: Self.maxIdentities) { found in
            count.value.store(found, ordering: .relaxed)
          }
        })
    } catch {
      making.result = .failure(error)
    }
  }
}

extension RequestFailure {
  static let tooLarge = RequestFailure(
    .unprocessable, "tooLarge",
    "There are more than \(IdentityLists.maxIdentities) objects, too many to jump among them. "
      + "Narrow the query, or scroll.")
}
