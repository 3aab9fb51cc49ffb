import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// Exports on their way to a browser.
@Suite struct ExportStreamTests {
  private let folder: TestFolder

  init() throws {
    folder = try Zoo.folder()
    try folder.execute(
      """
      WITH RECURSIVE numbers(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM numbers WHERE i < 30000)
      INSERT INTO Animal (_id, name) SELECT i, 'Animal ' || i FROM numbers
      """)
  }

  private struct Gone: Error {}

  private var stream: ExportStream {
    ExportStream(exporter: Exporter(Question("Animal"), .csv), reader: Zoo.reader(folder))
  }

  @Test func `A slow client gets all of it`() async throws {
    let bytes = Mutex<[UInt8]>([])
    try await stream.send(
      to: ResponseStream { piece in
        try await Task.sleep(for: .milliseconds(2))
        bytes.withLock { $0 += piece }
      })
    let lines = String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n")
    expectEqual(lines.count, 30_001)
    expectEqual(lines.last, "30000,Animal 30000,")
  }

  @Test func `It ends with its client`() async throws {
    let count = Atomic<Int>(0)
    await #expect(throws: Gone.self) {
      try await stream.send(
        to: ResponseStream { _ in
          if count.add(1, ordering: .relaxed).newValue == 2 { throw Gone() }
        })
    }
    expectEqual(count.load(ordering: .relaxed), 2)
  }

  @Test func `What can't be exported is said to the client`() async throws {
    let wrong = ExportStream(
      exporter: Exporter(Question("Nothing"), .csv), reader: Zoo.reader(folder))
    await #expect(throws: RequestFailure.self) { try await wrong.send(to: ResponseStream { _ in }) }
  }
}
