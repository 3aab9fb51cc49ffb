/// The stream of a file's events to one page.
struct EventStream {
  private let events: AsyncStream<FileEvent>
  private let stream: ResponseStream

  /// The interval of comments that keep the connection alive.
  private static let pause = Duration.seconds(15)

  init(_ events: AsyncStream<FileEvent>, _ stream: ResponseStream) {
    self.events = events
    self.stream = stream
  }

  /// Sends events until there are no more, or the page disconnects.
  func run(hello: JSONValue) async throws {
    try await stream.event("hello", hello)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await event in events {
          let (name, data) = event.wire
          try await stream.event(name, data)
        }
      }
      group.addTask {
        while true {
          try await Task.sleep(for: Self.pause)
          try await stream.write(": still here\n\n")
        }
      }
      // The first task ends when the events end, or when the page has disconnected.
      try await group.next()
      group.cancelAll()
    }
  }
}
