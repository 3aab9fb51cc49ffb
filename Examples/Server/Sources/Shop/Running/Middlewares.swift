import Hummingbird
import Strata

/// A middleware that counts requests and their duration, by the pattern of their path.
struct MetricsMiddleware: RouterMiddleware {
  let metrics: Metrics

  func handle(
    _ request: Request, context: ShopContext,
    next: (Request, ShopContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let response = try await next(request, context)
    metrics.countRequest(
      Self.methods.contains(request.method) ? request.method.rawValue : "other",
      context.endpointPath ?? "none",
      status: response.status.code, ContinuousClock.now - start)
    return response
  }

  /// Only known methods become labels: a client can't create new ones.
  private static let methods: Set<HTTPRequest.Method> = [
    .get, .head, .put, .post, .patch, .delete, .options,
  ]
}

/// A middleware that turns errors into responses. Server errors are logged, and their details are
/// not sent.
struct ErrorMiddleware: RouterMiddleware {
  let metrics: Metrics

  func handle(
    _ request: Request, context: ShopContext,
    next: (Request, ShopContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let answer = ShopError(error)
      if answer.status.code >= 500, !(error is ShopError) {
        context.logger.error(
          "A request failed.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      }
      if answer.status == .conflict { metrics.countConflict(answer.code) }
      return try answer.response(from: request, context: context)
    }
  }
}

/// A middleware that reads the token of the client's newest write, so that a replica shows it.
struct TokenMiddleware: RouterMiddleware {
  static let cookie = "history-token"

  func handle(
    _ request: Request, context: ShopContext,
    next: (Request, ShopContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let text = request.headers[.historyToken] ?? request.cookies[Self.cookie]?.value
    context.token = text.flatMap { HistoryToken($0) }
    return try await next(request, context)
  }
}

/// A middleware that refuses writes. A reader has the same addresses as a writer, and answers with
/// the reason.
struct ReaderMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ShopContext,
    next: (Request, ShopContext) async throws -> Response
  ) async throws -> Response {
    guard [.get, .head].contains(request.method) else {
      var error = ShopError(
        .methodNotAllowed, "reader", "This server reads a replica: write to the other one.")
      error.headers[.allow] = "GET"
      throw error
    }
    return try await next(request, context)
  }
}
