import Hummingbird
import Strata

/// Counts requests and how long they take, by the pattern of their path.
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

  /// A client can't make labels of its own.
  private static let methods: Set<HTTPRequest.Method> = [
    .get, .head, .put, .post, .patch, .delete, .options,
  ]
}

/// Makes an answer of each error. What a client can't repair is logged, and not told.
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

/// Refuses to write: a reader has the same addresses, and says what it can't do.
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
