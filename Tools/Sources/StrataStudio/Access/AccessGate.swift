import Synchronization

/// The gate that each request passes before anything is done for it.
///
/// It knows six rules: whose name the request is for, how a browser gets a cookie and a key, that
/// requests for data have both, that those that change something come from the page itself, that no
/// path of a file is in one, and that nothing is written unless the user wants it. Two of them are
/// those of the routes, which have no paths of files and say whether they write.
package final class AccessGate: Sendable {
  private let origins: OriginRules
  private let signIn: Mutex<SignIn>
  private let downloads = Mutex(DownloadLinks<@Sendable () -> Response>())
  private let now: @Sendable () -> ContinuousClock.Instant

  package convenience init(port: Int) {
    var random = SystemRandomNumberGenerator()
    self.init(port: port, now: { ContinuousClock.now }, using: &random)
  }

  /// - Parameters:
  ///   - now: The time, for tests that don't wait.
  ///   - random: The source of the secrets of the link.
  init(
    port: Int, now: @escaping @Sendable () -> ContinuousClock.Instant,
    using random: inout some RandomNumberGenerator
  ) {
    origins = OriginRules(port: port)
    signIn = Mutex(SignIn(port: port, at: now(), using: &random))
    self.now = now
  }

  /// The path of the link that opens the studio, once: `/?token=…`.
  @inline(never) package var path: String { signIn.withLock { $0.path } }

  /// Looks at a request.
  ///
  /// - Returns: The response to a link with a token; nil if the request may go on.
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

  /// Makes a link to a response, which works once within half a minute.
  ///
  /// - Returns: Its path, such as `/download/5f0c…`.
  @inline(never) package func downloadPath(_ response: @escaping @Sendable () -> Response) -> String
  {
    var random = SystemRandomNumberGenerator()
    return downloads.withLock { $0.add(response, at: now(), using: &random) }
  }

  /// The response of such a link.
  ///
  /// - Throws: ``RequestFailure`` with status 404 for a link that doesn't work, or not any more.
  @inline(never) package func download(_ secret: String) throws(RequestFailure) -> Response {
    guard let response = downloads.withLock({ $0.take(secret, at: now()) }) else {
      throw RequestFailure(
        .notFound, "oldDownload",
        "This link works once, and for half a minute. Ask for the file again.")
    }
    return response()
  }
}
