/// A program behind the sockets: it decides about requests and answers them.
package protocol RequestHandler: Sendable {
  /// Decides about a request from its head, before anything of its body is read.
  func decision(on head: RequestHead) async -> RequestDecision
}

/// The decision about a request.
package enum RequestDecision: Sendable {
  /// It is answered now. A body that it has isn't read, and the connection ends.
  case respond(Response)
  /// It is answered with its body. When the client goes away, the task of the closure is cancelled.
  case read(RequestBodyKind, respond: @Sendable (RequestBody) async -> Response)
}
