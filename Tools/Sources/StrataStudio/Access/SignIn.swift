/// The way of a browser from the printed link to a cookie and a key.
///
/// The token of the link works once, so that what the browser keeps of its address opens nothing.
/// Cookies know no ports: another server on 127.0.0.1 gets them. Therefore requests need the key as
/// well, which only the page has.
struct SignIn: Sendable {
  let port: Int
  private let token: Secret
  private let cookie: Secret
  private let key: Secret
  private let start: ContinuousClock.Instant
  private var isTokenUsed = false

  /// The time for which the link works.
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

  /// Takes the token of a link.
  ///
  /// - Parameter isFromElsewhere: Whether the page of another origin, a file of the user, has led
  ///   to the link: a redirection would count as its own, and may not go on. A page of the studio
  ///   may.
  /// - Returns: The response that gives the cookie and the key.
  /// - Throws: ``RequestFailure`` with status 403 for another token, for one that was used, and for
  ///   one that is too old. Another token changes nothing: pages of others may try.
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
          ? ResponseHeader("Refresh", "0; url=\(page)") : ResponseHeader("Location", page),
        ResponseHeader(
          "Set-Cookie", "\(cookieName)=\(cookie.text); HttpOnly; SameSite=Strict; Path=/"),
      ])
  }

  /// - Throws: ``RequestFailure`` with status 401 unless both the cookie and the key are there.
  func check(_ headers: RequestHeaders) throws(RequestFailure) {
    let hasKey = headers["strata-key"].map(key.matches) ?? false
    // Another server on the same host may set a cookie of this name beside the right one.
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
