import Foundation

@testable import StrataStudio

/// Chromium without a window, driven by messages through its pipe: JSON that ends with a NUL.
actor Browser {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let profile: URL
  private var reading: Task<Void, Never>?
  private var nextNumber = 1
  private var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
  /// The events of each page, by session.
  private var notes: [String: PageNotes] = [:]

  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  /// The path of the browser; nil if it isn't installed.
  static let path: String? = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
        "\($0)/\(name)"
      }
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether browser tests run: if there is a browser, and if its absence is a failure.
  static let isWanted =
    path != nil || ProcessInfo.processInfo.environment["STRATA_BROWSER"] == "required"

  /// - Parameter folder: An empty folder for the profile.
  init(folder: URL) async throws {
    guard let path = Self.path else {
      throw Refusal(description: "There is no Chromium. Install it, or leave out STRATA_BROWSER.")
    }
    profile = folder
    // A browser that is gone must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      exec "$0" --headless=new --no-sandbox --disable-gpu --no-first-run --disable-sync \
      --disable-background-networking --disable-component-update --disable-dev-shm-usage \
      --force-device-scale-factor=1 --user-data-dir="$1" --remote-debugging-pipe about:blank \
      3<&0 4>&1 1>/dev/null 2>/dev/null 0</dev/null
      """, path, folder.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (pieces, continuation) = AsyncStream<Data>.makeStream()
    output.fileHandleForReading.readabilityHandler = { handle in
      let piece = handle.availableData
      if piece.isEmpty { continuation.finish() } else { continuation.yield(piece) }
    }
    reading = Task { [weak self] in
      var buffer = Data()
      for await piece in pieces {
        buffer += piece
        while let end = buffer.firstIndex(of: 0) {
          await self?.receive(Array(buffer[buffer.startIndex..<end]))
          buffer = Data(buffer[(end + 1)...])
        }
      }
      await self?.receiveEnd()
    }
    _ = try await send("Browser.getVersion")
  }

  func end() async throws {
    output.fileHandleForReading.readabilityHandler = nil
    process.terminate()
    process.waitUntilExit()
    reading?.cancel()
    receiveEnd()
  }

  /// Sends a command, and waits for what it gives.
  func send(
    _ method: String, _ parameters: JSONValue = [:], session: String? = nil
  ) async throws -> JSONValue {
    let number = nextNumber
    nextNumber += 1
    var message: [JSONValue.Member] = [
      .init("id", .int(number)), .init("method", .text(method)), .init("params", parameters),
    ]
    if let session { message.append(.init("sessionId", .text(session))) }
    let bytes = JSONValue.object(message).bytes + [0]
    let answer = try await withCheckedThrowingContinuation { continuation in
      waiting[number] = continuation
      do {
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
      } catch {
        waiting.removeValue(forKey: number)?.resume(throwing: error)
      }
    }
    if let error = answer["error"] { throw Refusal(description: "\(method): \(error)") }
    return answer["result"] ?? .null
  }

  func notes(of session: String) -> PageNotes { notes[session] ?? PageNotes() }

  private func receive(_ bytes: [UInt8]) {
    let message: JSONValue
    do {
      message = try JSONReader.read(bytes)
    } catch {
      return receiveEnd()
    }
    if let number = message["id"]?.integer {
      waiting.removeValue(forKey: Int(number))?.resume(returning: message)
    } else if let method = message["method"]?.text, let session = message["sessionId"]?.text {
      notes[session, default: PageNotes()].add(method, message["params"] ?? .null)
    }
  }

  private func receiveEnd() {
    for continuation in waiting.values {
      continuation.resume(throwing: Refusal(description: "The browser has ended."))
    }
    waiting = [:]
  }
}

/// The events of a page: its mistakes and its requests.
struct PageNotes: Sendable {
  /// The entries of the browser's log, and what scripts threw or wrote to the console.
  private(set) var log: [String] = []
  private(set) var addresses: [String] = []

  mutating func add(_ method: String, _ parameters: JSONValue) {
    switch method {
    case "Network.requestWillBeSent":
      addresses.append(parameters["request"]?["url"]?.text ?? "")
    case "Log.entryAdded":
      let entry = parameters["entry"]
      log.append("\(entry?["text"]?.text ?? "") \(entry?["url"]?.text ?? "")")
    case "Runtime.exceptionThrown", "Runtime.consoleAPICalled": log.append("\(parameters)")
    default: break
    }
  }
}
