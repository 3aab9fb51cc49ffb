import TestKit
import Testing

@testable import StrataStudio

/// Access checks: requests of curl, requests of the page, and requests that other pages can make a
/// browser send.
@Suite struct AccessTests {
  private let studio = TestStudio()
  private let host = TestStudio.host
  private let sameOrigin = "Sec-Fetch-Site: same-origin"
  private let origin = "Origin: http://127.0.0.1:8080"
  private let json = "Content-Type: application/json"

  // MARK: 1, whose name the request is for

  @Test(
    arguments: [
      ("127.0.0.1:8080", nil), ("localhost:8080", nil), ("[::1]:8080", nil),
      ("LOCALHOST:8080", nil),
      ("127.0.0.1", .misdirected), ("127.0.0.1:8081", .misdirected), ("localhost", .misdirected),
      ("evil.example:8080", .misdirected), ("127.0.0.1:8080.evil.example", .misdirected),
      ("127.0.0.1:8080, evil.example", .misdirected), ("", .misdirected),
      ("0.0.0.0:8080", .misdirected), ("127.0.0.2:8080", .misdirected),
    ] as [(String, ResponseStatus?)])
  func `Only names of loopback are answered`(name: String, status: ResponseStatus?) throws {
    try expectEqual(studio.status("GET /studio.js", "Host: \(name)", sameOrigin), status)
    try expectEqual(studio.status("GET /", "Host: \(name)"), status)
  }

  // MARK: 2, the link

  @Test func `The link gives a cookie and a key, once`() throws {
    let path = studio.gate.path
    expectTrue(path.wholeMatch(of: /\/\?token=[0-9a-f]{64}/) != nil)
    let response = try #require(
      try studio.gate.check(.reading(["GET \(path) HTTP/1.1", host, "Sec-Fetch-Site: none"])))
    expectEqual(response.status, .seeOther)
    let headers = Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name, $0.value) })
    let cookie = try #require(headers["Set-Cookie"])
    expectTrue(
      cookie.wholeMatch(
        of: /strata-8080=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\//) != nil)
    let location = try #require(headers["Location"])
    expectTrue(location.wholeMatch(of: /\/#key=[0-9a-f]{64}/) != nil)
    // Three secrets, none of which tells another one.
    let secrets = [path, cookie, location].compactMap { $0.firstMatch(of: /[0-9a-f]{64}/)?.output }
    expectEqual(Set(secrets).count, 3)

    #expect(throws: self.failure("usedLink", "This link was used already.")) {
      try studio.gate.check(.reading(["GET \(path) HTTP/1.1", host]))
    }
  }

  private func failure(_ code: String, _ sentence: String) -> RequestFailure {
    RequestFailure(.forbidden, code, "\(sentence) Start 'strata studio' again for a new one.")
  }

  @Test func `A link works for ten minutes`() throws {
    studio.time.wait(.seconds(601))
    #expect(throws: self.failure("oldLink", "This link is older than ten minutes.")) {
      try studio.gate.check(.reading(["GET \(studio.gate.path) HTTP/1.1", host]))
    }
    let other = TestStudio()
    other.time.wait(.seconds(600))
    try expectEqual(other.status("GET \(other.gate.path)", host), .seeOther)
  }

  @Test func `Another token changes nothing`() throws {
    let path = studio.gate.path
    for other in [
      "/?token=", "/?token=5f", "/?token=" + String(repeating: "0", count: 64), path + "0",
      path.uppercased().replacing("/?TOKEN", with: "/?token"), "/?token=%C3%BC",
    ] {
      try expectEqual(studio.status("GET \(other)", host), .forbidden, "\(other)")
    }
    try expectEqual(studio.status("GET \(path)", host), .seeOther)
  }

  @Test func `Secrets are compared whole`() {
    var random = SplitMix64(seed: 1)
    let secret = Secret(using: &random)
    let text = secret.text
    expectEqual(text.utf8.count, 64)
    expectTrue(secret.matches(text))
    expectFalse(secret.matches(""))
    expectFalse(secret.matches(String(text.dropLast())))
    for index in text.indices {
      var other = text
      other.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
      expectFalse(secret.matches(other))
    }
    var system = SystemRandomNumberGenerator()
    expectTrue(Secret(using: &system) != Secret(using: &system))
  }

  // MARK: 3, the cookie and the key

  @Test func `Data needs the cookie and the key`() throws {
    let (cookie, key) = try studio.signIn()
    let path = "GET /api/file"
    try expectNil(studio.status(path, host, sameOrigin, cookie, key))
    // Another server on 127.0.0.1 gets the cookie, and can send it.
    try expectEqual(studio.status(path, host, cookie), .unauthorized)
    try expectEqual(studio.status(path, host, key), .unauthorized)
    try expectEqual(studio.status(path, host), .unauthorized)
    try expectEqual(studio.status(path, host, cookie, key + "0"), .unauthorized)
    try expectEqual(studio.status(path, host, cookie, "Strata-Key:"), .unauthorized)
    let swapped = key.replacing("Strata-Key: ", with: "Cookie: strata-8080=")
    try expectEqual(studio.status(path, host, swapped, key), .unauthorized)
    let otherPort = cookie.replacing("8080", with: "8081")
    try expectEqual(studio.status(path, host, otherPort, key), .unauthorized)
    try expectEqual(studio.status("GET /api", host), .unauthorized)
    try expectEqual(studio.status("GET /%61pi/file", host), .unauthorized)
  }

  @Test func `The cookie is found among others`() throws {
    let (cookie, key) = try studio.signIn()
    let value = cookie.dropFirst("Cookie: ".count)
    for cookies in ["a=b; \(value)", "\(value); c=d", "strata-8080=0;\(value)", "a; \(value);"] {
      try expectNil(studio.status("GET /api/file", host, "Cookie: \(cookies)", key))
    }
  }

  @Test func `A link that isn't used opens nothing`() throws {
    try expectEqual(
      studio.status("GET /api/file", host, "Cookie: strata-8080=", "Strata-Key:"), .unauthorized)
  }

  @Test func `The files of the page need only the right host`() throws {
    for path in ["/", "/studio.js", "/studio.css", "/favicon.ico"] {
      try expectNil(studio.status("GET \(path)", host))
      try expectNil(studio.status("GET \(path)", host, sameOrigin))
    }
  }

  @Test func `The question before a request of another origin is refused`() throws {
    try expectEqual(
      studio.status(
        "OPTIONS /api/file", host, "Origin: http://127.0.0.1:9090",
        "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: strata-key"),
      .forbidden)
    try expectEqual(studio.status("OPTIONS /api/file", host, origin, json), .forbidden)
  }

  @Test func `A download works once, for half a minute`() throws {
    let path = studio.gate.downloadPath { .json(["rows": 3]) }
    expectTrue(path.wholeMatch(of: /\/download\/[0-9a-f]{64}/) != nil)
    let secret = String(path.dropFirst("/download/".count))
    #expect(throws: RequestFailure.self) { try studio.gate.download(secret + "0") }
    try expectEqual(studio.gate.download(secret).status, .ok)
    #expect(throws: RequestFailure.self) { try studio.gate.download(secret) }

    let late = studio.gate.downloadPath { .json(.null) }
    studio.time.wait(.seconds(31))
    #expect(throws: RequestFailure.self) {
      try studio.gate.download(String(late.dropFirst("/download/".count)))
    }
  }

  @Test func `Downloads that nobody takes don't pile up`() throws {
    let paths = (0..<101).map { number in studio.gate.downloadPath { .json(.int(number)) } }
    let secrets = paths.map { String($0.dropFirst("/download/".count)) }
    #expect(throws: RequestFailure.self) { try studio.gate.download(secrets[0]) }
    try expectEqual(studio.gate.download(secrets[1]).status, .ok)
    try expectEqual(studio.gate.download(secrets[100]).status, .ok)
  }

  // MARK: 4, where a request comes from

  @Test func `What changes something comes from the page itself`() throws {
    let (cookie, key) = try studio.signIn()
    let path = "POST /api/changes"
    let length = "Content-Length: 2"
    func status(_ headers: String...) throws -> ResponseStatus? {
      do {
        return try studio.gate.check(
          .reading(["\(path) HTTP/1.1", host, length, cookie, key] + headers))?.status
      } catch let failure as RequestFailure {
        return failure.status
      }
    }
    try expectNil(status(origin, json, sameOrigin))
    try expectNil(status(origin, "Content-Type: application/JSON; charset=utf-8"))
    try expectNil(status(origin, "Content-Type: application/octet-stream"))
    // curl sends no origin unless it is told to.
    try expectEqual(status(json), .forbidden)
    try expectEqual(status("Origin: null", json), .forbidden)
    try expectEqual(status("Origin: http://127.0.0.1:9090", json), .forbidden)
    try expectEqual(status("Origin: http://localhost:8080", json), .forbidden)
    try expectEqual(status("Origin: https://127.0.0.1:8080", json), .forbidden)
    try expectEqual(status("Origin: http://127.0.0.1:8080.evil.example", json), .forbidden)
    // Requests that a form of another page can send.
    try expectEqual(status(origin), .forbidden)
    try expectEqual(status(origin, "Content-Type: text/plain"), .forbidden)
    try expectEqual(status(origin, "Content-Type: application/x-www-form-urlencoded"), .forbidden)
    try expectEqual(status(origin, "Content-Type: multipart/form-data; boundary=a"), .forbidden)
    try expectEqual(status(origin, "Content-Type: text/plain; application/json"), .forbidden)
    try expectEqual(status(origin, json, "Sec-Fetch-Site: same-site"), .forbidden)
  }

  @Test(arguments: ["PUT", "DELETE", "PATCH", "HEAD", "BREW"])
  func `Other methods than GET need an origin as well`(method: String) throws {
    try expectEqual(studio.status("\(method) /", host, "Content-Length: 0"), .forbidden)
  }

  @Test(arguments: ["cross-site", "same-site", "none", "other", ""])
  func `A browser says that the request is of another site`(site: String) throws {
    let (cookie, key) = try studio.signIn()
    let header = "Sec-Fetch-Site: \(site)"
    try expectEqual(studio.status("GET /api/file", host, cookie, key, header), .forbidden)
    try expectEqual(studio.status("GET /studio.js", host, header), .forbidden)
    try expectEqual(studio.status("GET /download/5f", host, header), .forbidden)
    // The user types the address, or another program opens it.
    try expectEqual(studio.status("GET /", host, header), (site == "none" ? nil : .forbidden))
  }

  @Test func `A link on another page doesn't open the studio`() throws {
    let path = studio.gate.path
    try expectEqual(
      studio.status("GET \(path)", host, "Sec-Fetch-Site: cross-site"), .forbidden)
    // It was not used up.
    try expectEqual(studio.status("GET \(path)", host, "Sec-Fetch-Site: none"), .seeOther)
  }

  @Test func `A file of the user leads to the link, and the studio's own page goes on`() throws {
    let path = studio.gate.path
    let file = [
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
    ]
    func response(_ path: String, _ headers: [String]) throws -> Response? {
      try studio.gate.check(.reading(["GET \(path) HTTP/1.1", host] + headers))
    }
    for (path, headers) in [
      ("/", file), ("/studio.js?token=a", file), (path, Array(file.dropLast())),
      (path, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]),
    ] {
      #expect(throws: RequestFailure.self) { try response(path, headers) }
    }
    let found = try #require(try response(path, file))
    expectEqual(found.status, .ok)
    let headers = Dictionary(uniqueKeysWithValues: found.headers.map { ($0.name, $0.value) })
    expectEqual(headers["Refresh"]?.hasPrefix("0; url=/#key="), true)
    expectNil(headers["Location"])
    expectEqual(headers["Set-Cookie"]?.contains("SameSite=Strict"), true)
  }

  @Test func `A GET with the origin of another page is refused`() throws {
    try expectEqual(studio.status("GET /", host, "Origin: http://evil.example"), .forbidden)
    try expectNil(studio.status("GET /", host, origin))
  }

  // MARK: Headers

  @Test func `Every response keeps others out of the page`() {
    let head = String(
      decoding: Response.json(.null).head(common: SecurityHeaders.all, keepsConnection: true),
      as: UTF8.self)
    expectEqual(
      head,
      """
      HTTP/1.1 200 OK\r
      Content-Type: application/json\r
      Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
      img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'\r
      X-Content-Type-Options: nosniff\r
      Cache-Control: no-store\r
      Referrer-Policy: no-referrer\r
      Cross-Origin-Opener-Policy: same-origin\r
      Cross-Origin-Resource-Policy: same-origin\r
      Content-Length: 4\r
      \r

      """)
  }

  @Test func `A name from a file can't add a header`() {
    let name = "a\"\r\nSet-Cookie: b=c\r\n\r\n<ü>.csv"
    let response = Response.download(named: name, type: "text/csv\r\nX: y") { _ in }
    let head = String(decoding: response.head(common: [], keepsConnection: false), as: UTF8.self)
    expectEqual(
      head,
      """
      HTTP/1.1 200 OK\r
      Content-Type: text/csv??X: y\r
      Content-Disposition: attachment; \
      filename*=UTF-8''a%22%0d%0aSet-Cookie%3a%20b%3dc%0d%0a%0d%0a%3c%c3%bc%3e.csv\r
      Transfer-Encoding: chunked\r
      Connection: close\r
      \r

      """)
  }
}
