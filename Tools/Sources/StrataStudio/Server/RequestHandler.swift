/// A handler that decides about requests and answers them.
package protocol RequestHandler: Sendable {
  /// Decides about a request from its head, before its body is read.
  func decision(on head: RequestHead) async -> RequestDecision
}

/// The decision about a request.
package enum RequestDecision: Sendable {
  /// Responds now. The body isn't read, and the connection is closed.
  case respond(Response)
  /// Reads the body, and then responds. The closure's task is cancelled if the client disconnects.
  case read(RequestBodyKind, respond: @Sendable (RequestBody) async -> Response)
}
