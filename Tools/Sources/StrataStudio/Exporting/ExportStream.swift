import Dispatch
import Synchronization

/// A stream of text from the thread that produces it to the task that sends it.
///
/// Reading a file blocks its thread; sending doesn't. The reader waits for a slow client, so that
/// memory is bounded, and ends when the client disconnects.
struct ExportStream: Sendable {
  let exporter: Exporter
  let reader: FileReader

  /// The time limit, including the time that the client takes to receive.
  private static let maxTime = Duration.seconds(24 * 60 * 60)

  /// Sends the whole text.
  func send(to stream: ResponseStream) async throws {
    let pieces = Pieces()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { pieces.finish() }
        try await reader.read(atMost: Self.maxTime) { db, schema in
          _ = try exporter.write(db, schema) { try pieces.give($0) }
        }
      }
      group.addTask {
        defer { pieces.refuse() }
        for await piece in pieces.stream {
          try await stream.write(piece)
          pieces.take()
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A bounded queue of pieces that were not sent yet.
private final class Pieces: Sendable {
  let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let room = DispatchSemaphore(value: 0)
  private let isRefused = Atomic<Bool>(false)

  private static let maxCount = 4

  init() {
    (stream, continuation) = AsyncStream.makeStream()
    for _ in 0..<Self.maxCount { room.signal() }
  }

  /// Waits for space in the queue, and adds a piece.
  ///
  /// - Throws: `CancellationError` if the receiver has ended.
  func give(_ piece: String) throws {
    room.wait()
    if isRefused.load(ordering: .acquiring) { throw CancellationError() }
    continuation.yield(piece)
  }

  func finish() { continuation.finish() }

  func take() { room.signal() }

  func refuse() {
    isRefused.store(true, ordering: .releasing)
    room.signal()
  }
}
