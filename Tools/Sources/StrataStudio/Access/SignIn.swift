/// The steps of a browser from the printed link to a cookie and a key.
///
/// The token of the link works once, so the address in the browser's history gives no access.
/// Cookies don't distinguish ports: another server on 127.0.0.1 receives them. Therefore requests
/// also need the key, which only the page has.
struct SignIn: Sendable {
  let port: Int
  private let token: Secret
  private let cookie: Secret
  private let key: Secret
  private let start: ContinuousClock.Instant
  private var isTokenUsed = false

  /// The time until the link expires.
  static let tokenTime: Duration = .seconds(600)

  init(
    port: Int, at start: ContinuousClock.Instant, using random: inout some RandomNumberGenerator
  ) {
    self.port = port
    self.start = start
    token = Secret(using: &random)
    cookie = Secret(using: &random)
    key = Secret(using: &random)
  }

  /// The path of the link, with the token.
  var path: String { "/?token=\(token.text)" }

  private var cookieName: String { "strata-\(port)" }

  /// Accepts the token of a link.
  ///
  /// - Parameter isFromElsewhere: Whether a page of another origin, such as the user's private
  ///   file, led to the link. A redirect would count as a request of that page and be refused. The
  ///   response then is a page of the studio, which may open the next address.
  /// - Returns: The response that gives the cookie and the key.
  /// - Throws: ``RequestFailure`` with status 403 for a wrong, used or expired token. A wrong token
  ///   doesn't invalidate the right one, since any page may try.
  mutating func accept(
    token text: String, at time: ContinuousClock.Instant,
    fromElsewhere isFromElsewhere: Bool = false
  ) throws(RequestFailure) -> Response {
    guard token.matches(text) else { throw .otherToken }
    guard !isTokenUsed else { throw .usedToken }
    guard time - start <= Self.tokenTime else { throw .oldToken }
    isTokenUsed = true
    let page = "/#key=\(key.text)"
    return Response(
      isFromElsewhere ? .ok : .seeOther,
      headers: [
        isFromElsewhere
          ? Header("Refresh", "0; url=\(page)") : Header("Location", page),
        Header(
          "Set-Cookie", "\(cookieName)=\(cookie.text); HttpOnly; SameSite=Strict; Path=/"),
      ])
  }

  /// - Throws: ``RequestFailure`` with status 401 unless both the cookie and the key are right.
  func check(_ headers: RequestHeaders) throws(RequestFailure) {
    let hasKey = headers["strata-key"].map(key.matches) ?? false
    // Another server on the same host may have set a cookie with the same name.
    let cookies = headers["cookie"].map(Self.cookies) ?? []
    let hasCookie = cookies.contains { $0.name == cookieName && cookie.matches($0.value) }
    guard hasKey, hasCookie else { throw .signedOut }
  }

  private static func cookies(_ header: String) -> [(name: Substring, value: String)] {
    header.split(separator: ";").map { item in
      let item = item.drop { $0 == " " }
      let name = item.prefix { $0 != "=" }
      return (name, String(item.dropFirst(name.count + 1)))
    }
  }
}

extension RequestFailure {
  fileprivate static let otherToken = RequestFailure(
    .forbidden, "otherLink",
    "This is not the link of this studio. Open the one that 'strata studio' printed.")

  fileprivate static let usedToken = RequestFailure(
    .forbidden, "usedLink",
    "This link was used already. Start 'strata studio' again for a new one.")

  fileprivate static let oldToken = RequestFailure(
    .forbidden, "oldLink",
    "This link is older than ten minutes. Start 'strata studio' again for a new one.")

  fileprivate static let signedOut = RequestFailure(
    .unauthorized, "signedOut", "Open the studio with the link that 'strata studio' printed.")
}
