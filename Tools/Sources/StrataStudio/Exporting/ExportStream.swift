import Dispatch
import Synchronization

/// A text on its way from the thread that makes it to the task that sends it.
///
/// Reading a file blocks its thread, sending doesn't. The reader waits for a slow client, so that
/// nothing piles up, and ends with it.
struct ExportStream: Sendable {
  private let exporter: Exporter
  private let reader: FileReader

  /// Includes the time in which the client takes what was read.
  private static let longest = Duration.seconds(24 * 60 * 60)

  init(_ exporter: Exporter, _ reader: FileReader) {
    self.exporter = exporter
    self.reader = reader
  }

  /// Sends the whole text.
  ///
  /// - Throws: What reading and sending throw.
  func send(to stream: ResponseStream) async throws {
    let pieces = Pieces()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { pieces.finish() }
        try await reader.read(atMost: Self.longest) { db, schema in
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

/// The pieces of the text that were made and not sent yet, some at the most.
private final class Pieces: Sendable {
  let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let room = DispatchSemaphore(value: 0)
  private let isRefused = Atomic<Bool>(false)

  private static let most = 4

  init() {
    (stream, continuation) = AsyncStream.makeStream()
    for _ in 0..<Self.most { room.signal() }
  }

  /// Waits for room, and gives a piece.
  ///
  /// - Throws: `CancellationError` when the receiver has ended.
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
