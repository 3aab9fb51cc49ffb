import Synchronization

/// The checks that each request must pass before it is handled.
///
/// There are six rules. The request must be for this host. A browser gets its cookie and key only
/// through the link. Requests for data need both. Requests that change something must come from the
/// page itself. No request has the path of a file. Nothing is written unless the user wants it. The
/// routes enforce the last two rules: they have no paths of files, and declare whether they write.
package final class AccessGate: Sendable {
  private let origins: OriginRules
  private let signIn: Mutex<SignIn>
  private let downloads = Mutex(DownloadLinks())
  private let now: @Sendable () -> ContinuousClock.Instant

  package convenience init(port: Int) {
    var random = SystemRandomNumberGenerator()
    self.init(port: port, now: { ContinuousClock.now }, using: &random)
  }

  /// - Parameters:
  ///   - now: The clock, which tests can replace.
  ///   - random: The source of the secrets in the link.
  init(
    port: Int, now: @escaping @Sendable () -> ContinuousClock.Instant,
    using random: inout some RandomNumberGenerator
  ) {
    origins = OriginRules(port: port)
    signIn = Mutex(SignIn(port: port, at: now(), using: &random))
    self.now = now
  }

  /// The path of the link that opens the studio: `/?token=…`. The link works once.
  @inline(never) package var path: String { signIn.withLock { $0.path } }

  /// Checks a request.
  ///
  /// - Returns: The response to a link with a token; nil if the request may proceed.
  /// - Throws: ``RequestFailure`` with status 401, 403 or 421.
  @inline(never) package func check(_ head: RequestHead) throws(RequestFailure) -> Response? {
    try origins.check(head)
    let path = head.target.path
    if path.first == "api" {
      try signIn.withLock { signIn throws(RequestFailure) in try signIn.check(head.headers) }
    }
    guard path.isEmpty, head.method == "GET", let token = head.target.query["token"] else {
      return nil
    }
    return try signIn.withLock { signIn throws(RequestFailure) in
      try signIn.accept(token: token, at: now(), fromElsewhere: OriginRules.opensLink(head))
    }
  }

  /// Creates a link to a response, and returns its path.
  @inline(never) package func downloadPath(_ response: @escaping @Sendable () -> Response) -> String
  {
    var random = SystemRandomNumberGenerator()
    return downloads.withLock { $0.add(response, at: now(), using: &random) }
  }

  /// Returns the response of a download link.
  ///
  /// - Throws: ``RequestFailure`` with status 404 if the link is unknown, used or expired.
  @inline(never) package func download(_ secret: String) throws(RequestFailure) -> Response {
    guard let response = downloads.withLock({ $0.take(secret, at: now()) }) else {
      throw RequestFailure(
        .notFound, "oldDownload",
        "The link has expired, or was used before. Request the file again.")
    }
    return response()
  }
}
