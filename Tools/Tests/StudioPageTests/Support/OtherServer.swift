import FlyingSocks
import Foundation

/// A foreign server on 127.0.0.1: it answers each request with one page, and records the requests.
actor OtherServer {
  nonisolated let port: Int
  nonisolated var origin: String { "http://127.0.0.1:\(port)" }

  private let socket: AsyncSocket
  private let page: String
  private var serving: Task<Void, Never>?
  private(set) var heads: [String] = []

  /// - Parameter page: HTML.
  init(_ page: String) async throws {
    let listener = try Socket(domain: AF_INET, type: .stream)
    try listener.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    try listener.listen()
    guard case .ip4(_, let port) = try listener.sockname() else {
      throw SocketError.unsupportedAddress
    }
    self.port = Int(port)
    self.page = page
    let pool: SocketPool<Poll> = .poll()
    try await pool.prepare()
    socket = try AsyncSocket(socket: listener, pool: pool)
    serving = Task { [weak self, socket] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          do {
            try await pool.run()
          } catch {
            // It ends with the server.
          }
        }
        do {
          for try await client in socket.sockets {
            group.addTask { await self?.answer(client) }
          }
        } catch {
          // As above.
        }
        group.cancelAll()
      }
    }
  }

  func end() async throws {
    serving?.cancel()
    await serving?.value
    try socket.close()
  }

  private func answer(_ client: AsyncSocket) async {
    do {
      var bytes: [UInt8] = []
      while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
        bytes.append(try await client.read())
      }
      heads.append(String(decoding: bytes, as: UTF8.self))
      let head = """
        HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
        Content-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n
        """
      try await client.write(Data((head + page).utf8))
      try client.close()
    } catch {
      // The browser opens connections that it doesn't use.
    }
  }
}
