/// A route: a pattern of requests, and the closure that answers them.
///
/// ```swift
/// Route.get("/api/count/:class") { request in
///   .json(["count": .int(try await file.count(request.parameter("class")))])
/// }
/// ```
package struct Route: Sendable {
  let method: String
  let parts: [Part]
  let body: RequestBodyKind
  let writes: Bool
  let respond: @Sendable (Request) async throws -> Response

  enum Part: Sendable, Hashable {
    case fixed(String)
    /// Any text, available under a name.
    case variable(String)
  }

  /// - Parameters:
  ///   - path: Parts between slashes. A part that begins with a colon matches any text.
  ///   - body: The body that is read before the closure is called.
  ///   - writes: Whether the route changes the file; a read-only studio refuses it.
  ///   - respond: Returns the response. Its errors become a ``RequestFailure``. Its task is
  ///     cancelled when the client disconnects.
  package init(
    _ method: String, _ path: String, body: RequestBodyKind = .none, writes: Bool = false,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.method = method
    parts = path.split(separator: "/").map { part in
      part.hasPrefix(":") ? .variable(String(part.dropFirst())) : .fixed(String(part))
    }
    self.body = body
    self.writes = writes
    self.respond = respond
  }

  package static func get(
    _ path: String, _ respond: @escaping @Sendable (Request) async throws -> Response
  ) -> Route {
    Route("GET", path, respond)
  }

  package static func post(
    _ path: String, body: RequestBodyKind = .json, writes: Bool = false,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) -> Route {
    Route("POST", path, body: body, writes: writes, respond)
  }

  package static func put(
    _ path: String, body: RequestBodyKind,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) -> Route {
    Route("PUT", path, body: body, writes: true, respond)
  }

  /// The variable parts of a path; nil if the route doesn't match.
  func parameters(of path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      switch part {
      case .fixed(let fixed): guard text == fixed else { return nil }
      case .variable(let name): parameters[name] = text
      }
    }
    return parameters
  }
}
