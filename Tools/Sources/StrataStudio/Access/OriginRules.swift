/// The rules for the origin of a request, based on its headers.
///
/// A page of another server can't forge these headers. With DNS rebinding, its host name is in
/// `Host`.
struct OriginRules: Sendable {
  private let hosts: Set<String>

  init(port: Int) { hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  /// - Throws: ``RequestFailure`` with status 421 or 403.
  func check(_ head: RequestHead) throws(RequestFailure) {
    guard let host = head.headers["host"]?.lowercased(), hosts.contains(host) else {
      throw .otherHost
    }
    try checkSite(head)
    let isGet = head.method == "GET"
    if let origin = head.headers["origin"] {
      guard origin.lowercased() == "http://\(host)" else { throw .otherOrigin }
    } else if !isGet {
      throw .otherOrigin
    }
    // A CORS preflight asks whether a page of another origin may send the request.
    guard head.method != "OPTIONS" else { throw .otherOrigin }
    guard isGet || Self.hasKnownType(head) else { throw .otherContentType }
  }

  private func checkSite(_ head: RequestHead) throws(RequestFailure) {
    switch head.headers["sec-fetch-site"]?.lowercased() {
    case nil, "same-origin": return
    // The user has typed the address, or another program has opened it.
    case "none" where head.method == "GET" && head.target.path.isEmpty: return
    // The user's private file leads to the link; only that file knows the token.
    case "cross-site" where Self.opensLink(head): return
    default: throw .otherSite
    }
  }

  /// Whether a page of another origin navigates to a link with a token.
  static func opensLink(_ head: RequestHead) -> Bool {
    head.method == "GET" && head.target.path.isEmpty && head.target.query["token"] != nil
      && head.headers["sec-fetch-site"]?.lowercased() == "cross-site"
      && head.headers["sec-fetch-mode"]?.lowercased() == "navigate"
      && head.headers["sec-fetch-dest"]?.lowercased() == "document"
  }

  /// Whether the body has a type that a form or a simple request of another page can't have.
  private static func hasKnownType(_ head: RequestHead) -> Bool {
    let types = [RequestBodyKind.json, .file(inFolder: "")].map(\.contentType)
    return types.contains(head.headers.contentType)
  }
}

extension RequestHeaders {
  /// The type of the body in lower case, without parameters.
  package var contentType: String? {
    self["content-type"].map { text in
      var type = text.prefix { $0 != ";" }
      while type.last == " " { type.removeLast() }
      return type.lowercased()
    }
  }
}

extension RequestFailure {
  fileprivate static let otherHost = RequestFailure(
    .misdirected, "otherHost",
    "The request is for another host. Open the link that 'strata studio' printed.")

  fileprivate static let otherSite = RequestFailure(
    .forbidden, "otherSite",
    "The request comes from another site. Open the link that 'strata studio' printed.")

  fileprivate static let otherOrigin = RequestFailure(
    .forbidden, "otherOrigin",
    "The request has no header 'Origin' of the studio. Send it from the studio's own page.")

  static let otherContentType = RequestFailure(
    .forbidden, "otherContentType",
    "The body is not of the type that is read here. Send 'application/json', and files as "
      + "'application/octet-stream'.")
}
