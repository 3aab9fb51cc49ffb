/// A connection of a client: a sequence of requests and responses.
struct Connection: Sendable {
  let number: Int
  let socket: ClientSocket
  let handler: any RequestHandler
  let limits: StudioLimits
  let register: ConnectionRegister

  /// Serves the client until it disconnects, or the connection must close.
  func run() async {
    // The bytes that were read after the last request.
    var unread: [UInt8] = []
    do {
      while try await serveNext(&unread) {}
    } catch {
      // The client has disconnected or accepts nothing, or the studio ends. No response is
      // possible.
    }
    await socket.close()
  }

  /// - Returns: Whether the connection stays open.
  private func serveNext(_ unread: inout [UInt8]) async throws -> Bool {
    do {
      guard let head = try await readHead(&unread) else { return false }
      return try await serve(head, &unread)
    } catch let failure as RequestFailure {
      try await write(Response(failure), to: nil, keepsConnection: false)
      await socket.finish(within: Self.lastTime)
      return false
    }
  }

  /// The time for the client to accept the last response of a connection.
  static let lastTime: Duration = .seconds(1)

  // MARK: Reading

  private func readHead(_ unread: inout [UInt8]) async throws -> RequestHead? {
    if unread.isEmpty {
      guard register.enter(.idle(since: .now), number) else { return nil }
      guard let bytes = try await withDeadline(limits.idleTime, { try await socket.read() }) else {
        return nil
      }
      unread = bytes
    }
    let first = unread
    do {
      let result = try await withDeadline(limits.headTime) {
        try await readHead(beginningWith: first)
      }
      unread = result?.rest ?? []
      // A client that has sent only a part of a head counts as idle, and may be disconnected.
      guard let head = result?.head, register.enter(.responding, number) else { return nil }
      return head
    } catch is DeadlinePassed {
      throw RequestFailure.headTooSlow
    }
  }

  private func readHead(
    beginningWith first: [UInt8]
  ) async throws -> (head: RequestHead, rest: [UInt8])? {
    var reader = RequestHeadReader(limits)
    var bytes = first
    while true {
      if let (head, rest) = try reader.read(bytes[...]) { return (head, Array(rest)) }
      guard let more = try await socket.read() else { return nil }
      bytes = more
    }
  }

  /// - Throws: ``RequestFailure`` with status 408, 413 or 507.
  private func readBody(
    _ kind: RequestBodyKind, of head: RequestHead, _ unread: inout [UInt8]
  ) async throws -> RequestBody {
    let most = kind.maxBytes(limits)
    let length = head.contentLength
    guard length <= most else { throw RequestFailure.bodyTooLarge(most) }
    if head.expectsContinue, length > 0, unread.isEmpty {
      try await socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), pause: limits.idleTime)
    }
    let first = Array(unread.prefix(length))
    unread.removeFirst(first.count)
    do {
      switch kind {
      case .none: return .none
      case .json:
        let (bytes, rest) = try await withDeadline(limits.bodyTime) {
          try await readBytes(length, beginningWith: first)
        }
        unread += rest
        return .bytes(bytes)
      case .file(let folder):
        return try await readFile(length, in: folder, beginningWith: first, &unread)
      }
    } catch is DeadlinePassed {
      throw RequestFailure.bodyTooSlow
    }
  }

  private func readBytes(
    _ length: Int, beginningWith first: [UInt8]
  ) async throws -> (bytes: [UInt8], rest: ArraySlice<UInt8>) {
    var bytes = first
    while bytes.count < length {
      guard let more = try await socket.read() else { throw CancellationError() }
      bytes += more
    }
    return (Array(bytes.prefix(length)), bytes[length...])
  }

  private func readFile(
    _ length: Int, in folder: String, beginningWith first: [UInt8], _ unread: inout [UInt8]
  ) async throws -> RequestBody {
    let file = try UploadFile(inFolder: folder)
    do {
      try file.write(first[...])
      var count = first.count
      while count < length {
        guard let more = try await withDeadline(limits.bodyTime, { try await socket.read() }) else {
          throw CancellationError()
        }
        let own = more.prefix(length - count)
        try file.write(own)
        count += own.count
        unread += more[own.endIndex...]
      }
    } catch {
      UploadFile.remove(file.path)
      try file.close()
      throw error
    }
    try file.close()
    return .file(path: file.path, byteCount: length)
  }

  // MARK: Responding

  /// - Returns: Whether the connection stays open.
  private func serve(_ head: RequestHead, _ unread: inout [UInt8]) async throws -> Bool {
    let keepsConnection: Bool
    switch await handler.decision(on: head) {
    case .respond(let response):
      keepsConnection = try await respond(
        to: head, keepsConnection: head.keepsConnection && head.contentLength == 0, &unread
      ) { response }
    case .read(let kind, let makeResponse):
      let body = try await readBody(kind, of: head, &unread)
      defer { if case .file(let path, _) = body { UploadFile.remove(path) } }
      keepsConnection = try await respond(
        to: head, keepsConnection: head.keepsConnection, &unread
      ) {
        await makeResponse(body)
      }
    }
    if !keepsConnection { await socket.finish(within: Self.lastTime) }
    return keepsConnection
  }

  /// Events while a response is made and sent.
  private enum Event: Sendable {
    case responded(keepsConnection: Bool)
    /// The client has sent more bytes, possibly none, before the response was sent.
    case received([UInt8])
    case disconnected
  }

  /// Makes and sends a response. Cancels the task that makes it if the client disconnects.
  private func respond(
    to head: RequestHead, keepsConnection: Bool, _ unread: inout [UInt8],
    _ makeResponse: @escaping @Sendable () async -> Response
  ) async throws -> Bool {
    let (keeps, received) = try await withThrowingTaskGroup(of: Event.self) { group in
      group.addTask {
        let keeps = try await write(
          makeResponse(), to: head, keepsConnection: keepsConnection)
        return .responded(keepsConnection: keeps)
      }
      group.addTask { await watch() }
      var outcome: Bool?
      var received: [UInt8] = []
      while let event = try await group.next() {
        switch event {
        case .responded(let keeps):
          outcome = outcome ?? keeps
          group.cancelAll()
        case .received(let bytes): received = bytes
        case .disconnected where outcome == nil:
          outcome = false
          group.cancelAll()
        case .disconnected: break
        }
      }
      return (outcome ?? false, received)
    }
    unread += received
    return keeps
  }

  /// Reads what the client sends during its response, to notice a disconnect.
  private func watch() async -> Event {
    var received: [UInt8] = []
    // Stops reading at the size of a head; later, a write notices the disconnect.
    while received.count < limits.headBytes {
      do {
        guard let bytes = try await socket.read() else { return .disconnected }
        received += bytes
      } catch is CancellationError {
        break
      } catch {
        return .disconnected
      }
    }
    return .received(received)
  }

  /// - Returns: Whether the connection stays open.
  @discardableResult
  private func write(
    _ response: Response, to head: RequestHead?, keepsConnection: Bool
  ) async throws -> Bool {
    let keeps = keepsConnection && !response.endsConnection && !register.isEnding
    let bytes = response.head(common: SecurityHeaders.all, keepsConnection: keeps)
    switch response.body {
    case .bytes(let body):
      // A response to `HEAD` has no body, despite its `Content-Length`.
      let hasBody = head?.method != "HEAD"
      try await socket.write(hasBody ? bytes + body : bytes, pause: limits.idleTime)
    case .stream(let writeBody):
      guard register.enter(.streaming, number) else { throw CancellationError() }
      try await socket.write(bytes, pause: limits.idleTime)
      try await writeBody(
        ResponseStream { piece in
          try await socket.write(Response.chunk(piece), pause: limits.idleTime)
        })
      try await socket.write(Response.lastChunk, pause: limits.idleTime)
    }
    return keeps
  }
}

extension RequestBodyKind {
  fileprivate func maxBytes(_ limits: StudioLimits) -> Int {
    switch self {
    case .none: 0
    case .json: limits.jsonBytes
    case .file: limits.fileBytes
    }
  }
}
