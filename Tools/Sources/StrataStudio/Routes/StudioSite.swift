/// The site of the studio: the access checks, and the routes behind them.
package struct StudioSite: RequestHandler {
  private let gate: AccessGate
  private let routes: [Route]
  private let isWritable: Bool

  /// - Parameters:
  ///   - routes: The routes; the first match is used. Routes for the page and for downloads are
  ///     added.
  ///   - isWritable: Whether the user wants to change the file.
  package init(_ gate: AccessGate, routes: [Route], isWritable: Bool) {
    self.gate = gate
    let download = Route.get("/download/:secret") { request in
      try gate.download(request.parameter("secret"))
    }
    self.routes = PageRoutes.all + [download] + routes
    self.isWritable = isWritable
  }

  package func decision(on head: RequestHead) async -> RequestDecision {
    do throws(RequestFailure) {
      return try decide(head)
    } catch {
      // A user who opens an invalid link sees the message in the browser.
      guard head.target.path.isEmpty else { return .respond(Response(error)) }
      return .respond(
        Response(
          error.status, headers: [Header("Content-Type", "text/plain; charset=utf-8")],
          body: .bytes(Array(error.message.utf8))))
    }
  }

  private func decide(_ head: RequestHead) throws(RequestFailure) -> RequestDecision {
    if let response = try gate.check(head) { return .respond(response) }
    let path = head.target.path
    let fitting = routes.compactMap { route in
      route.parameters(of: path).map { (route: route, parameters: $0) }
    }
    guard !fitting.isEmpty else { throw .noRoute(path) }
    guard let (route, parameters) = fitting.first(where: { $0.route.method == head.method }) else {
      var response = Response(.otherMethod(head.method))
      let methods = fitting.map(\.route.method).joined(separator: ", ")
      response.headers.append(Header("Allow", methods))
      return .respond(response)
    }
    guard isWritable || !route.writes else { throw .readOnly }
    guard route.body.contentType == nil || route.body.contentType == head.headers.contentType else {
      throw .otherContentType
    }
    return .read(route.body) { body in
      await respond(route, Request(head, parameters: parameters, body: body))
    }
  }

  private func respond(_ route: Route, _ request: Request) async -> Response {
    do {
      return try await route.respond(request)
    } catch let failure as RequestFailure {
      return Response(failure)
    } catch is CancellationError {
      // The client has disconnected, or another task was cancelled.
      return Response(.cancelled)
    } catch {
      return Response(StudioFailure.explain(error) ?? .unexpected(error))
    }
  }
}

extension RequestFailure {
  fileprivate static func noRoute(_ path: [String]) -> RequestFailure {
    RequestFailure(
      .notFound, "notFound",
      "There is nothing at '/\(path.joined(separator: "/"))'. Begin at '/'.")
  }

  fileprivate static func otherMethod(_ method: String) -> RequestFailure {
    RequestFailure(
      .methodNotAllowed, "methodNotAllowed",
      "The method '\(method)' is not allowed here. Use a method of the header 'Allow'.")
  }

  static let readOnly = RequestFailure(
    .forbidden, "readOnly",
    "The studio only reads this file. Start it with '--write' to change the file.")

  fileprivate static let cancelled = RequestFailure(
    .unavailable, "cancelled", "The studio cancelled the request. Send it again.")

  fileprivate static func unexpected(_ error: any Error) -> RequestFailure {
    RequestFailure(
      .internalError, "unexpected",
      "Unexpected error: \(error). This is a bug in 'strata'. Please report it.")
  }
}
