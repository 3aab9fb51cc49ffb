import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataStudio

/// The routes behind the access checks.
@Suite struct SiteTests {
  private let studio = TestStudio()

  private struct Mistake: Error {}

  private func site(isWritable: Bool = true) -> StudioSite {
    StudioSite(
      studio.gate,
      routes: [
        .get("/api/count/:class") { request in
          .json([
            "class": .text(request.parameter("class")),
            "where": .text(request.query("where") ?? ""),
          ])
        },
        .post("/api/changes", writes: true) { request in .json(try request.json()) },
        .post("/api/effect") { _ in .json("effect") },
        .put("/api/data/:class/:id", body: .file(inFolder: "/tmp")) { _ in .json("data") },
        .get("/api/failure") { _ in
          throw RequestFailure(
            .conflict, "conflict", "It changed. Look again.", details: [.init("now", 98)])
        },
        .get("/api/mistake") { _ in throw Mistake() },
        .get("/api/known") { _ in throw DatabaseError(resultCode: .SQLITE_FULL) },
        .get("/api/cancelled") { _ in throw CancellationError() },
        .get("/api/numbers") { request in
          .json(.optional(try request.integer("limit", in: 1...1000)) { .int($0) })
        },
      ], isWritable: isWritable)
  }

  private struct Answer {
    var status: ResponseStatus
    var headers: [String: String]
    var body: String
  }

  private func answer(
    _ site: StudioSite, _ line: String, _ headers: [String] = [], body: String = ""
  ) async throws -> Answer {
    let head = try RequestHead.reading(["\(line) HTTP/1.1", TestStudio.host] + headers)
    let response: Response
    switch await site.decision(on: head) {
    case .respond(let given): response = given
    case .read(let kind, let respond):
      response = await respond(kind == .none ? .none : .bytes(Array(body.utf8)))
    }
    guard case .bytes(let bytes) = response.body else {
      return Answer(status: response.status, headers: [:], body: "stream")
    }
    return Answer(
      status: response.status,
      headers: Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name, $0.value) }),
      body: String(decoding: bytes, as: UTF8.self))
  }

  private func post(_ type: String = "application/json") throws -> [String] {
    let (cookie, key) = try studio.signIn()
    return [
      cookie, key, "Origin: http://127.0.0.1:8080", "Content-Type: \(type)", "Content-Length: 2",
    ]
  }

  // MARK: The page

  @Test func `Each file of the page is served, with its type`() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/CStudioPage/Page")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    expectEqual(PageFile.all.map(\.name).sorted(), names)
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]
    for name in names {
      let path = name == "index.html" ? "" : name
      let answer = try await answer(site(), "GET /\(path)")
      expectEqual(answer.status, .ok)
      let type = try #require(types[name.components(separatedBy: ".").last ?? ""])
      expectEqual(answer.headers["Content-Type"], type)
      let content = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      expectEqual(answer.body, content)
    }
  }

  @Test func `The icon of the page is an image`() async throws {
    let answer = try await answer(site(), "GET /favicon.ico")
    expectEqual(answer.headers["Content-Type"], "image/svg+xml")
    expectTrue(answer.body.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
  }

  @Test func `The link leads to the page, and its mistakes are read in the browser`() async throws {
    let path = studio.gate.path
    let first = try await answer(site(), "GET \(path)")
    expectEqual(first.status, .seeOther)
    expectEqual(first.headers["Location"]?.hasPrefix("/#key="), true)
    let second = try await answer(site(), "GET \(path)")
    expectEqual(second.status, .forbidden)
    expectEqual(second.headers["Content-Type"], "text/plain; charset=utf-8")
    expectEqual(
      second.body, "This link was used already. Start 'strata studio' again for a new one.")
  }

  // MARK: Routes

  @Test func `Parts of a path are decoded once`() async throws {
    let (cookie, key) = try studio.signIn()
    let answer = try await answer(
      site(), "GET /api/count/a%2Fb%2520?where=x+%2B+1", [cookie, key])
    expectEqual(answer.body, #"{"class":"a/b%20","where":"x + 1"}"#)
  }

  @Test(arguments: [
    "/nothing", "/api/nothing", "/api/count", "/api/count/a/b", "/api/count/a/", "//",
    "/../../etc/passwd", "/Page/index.html", "/index.html", "/%00",
  ])
  func `What isn't there is said in JSON`(path: String) async throws {
    let (cookie, key) = try studio.signIn()
    let answer = try await answer(site(), "GET \(path)", [cookie, key])
    expectEqual(answer.status, .notFound)
    let json = try JSONReader.read(Array(answer.body.utf8))
    expectEqual(json["code"], "notFound")
    expectEqual(json["error"]?.text?.hasSuffix("Begin at '/'."), true)
  }

  @Test func `Another method is told which there are`() async throws {
    let answer = try await answer(site(), "POST /api/count/Dog", try post())
    expectEqual(answer.status, .methodNotAllowed)
    expectEqual(answer.headers["Allow"], "GET")
  }

  @Test func `A body has the type that its route reads`() async throws {
    let studioSite = site()
    let headers = try post()
    try await expectEqual(
      answer(studioSite, "POST /api/changes", headers, body: #"{"a":[1]}"#).body, #"{"a":[1]}"#)
    try await expectEqual(answer(studioSite, "PUT /api/data/Dog/1", headers).status, .forbidden)
    let octets = headers.map { $0.replacingOccurrences(of: "json", with: "octet-stream") }
    try await expectEqual(answer(studioSite, "POST /api/changes", octets).status, .forbidden)
    try await expectEqual(answer(studioSite, "PUT /api/data/Dog/1", octets).status, .ok)
  }

  @Test func `A studio that only reads refuses to write, without the body`() async throws {
    let readOnly = site(isWritable: false)
    let headers = try post()
    let head = try RequestHead.reading(
      ["POST /api/changes HTTP/1.1", TestStudio.host] + headers)
    guard case .respond(let response) = await readOnly.decision(on: head) else {
      Issue.record("the body is read")
      return
    }
    expectEqual(response.status, .forbidden)
    try await expectEqual(
      answer(readOnly, "POST /api/changes", headers).body,
      #"{"error":"The studio only reads this file. Start it with '--write' to change the "#
        + #"file.","code":"readOnly"}"#)
    try await expectEqual(answer(readOnly, "POST /api/effect", headers).status, .ok)
  }

  @Test func `Errors of routes have a status and a sentence`() async throws {
    let (cookie, key) = try studio.signIn()
    func get(_ path: String) async throws -> Answer {
      try await answer(site(), "GET /api/\(path)", [cookie, key])
    }
    let failure = try await get("failure")
    expectEqual(failure.status, .conflict)
    expectEqual(failure.body, #"{"error":"It changed. Look again.","code":"conflict","now":98}"#)
    try await expectEqual(get("known").status, .insufficientStorage)
    try await expectEqual(get("cancelled").status, .unavailable)
    let mistake = try await get("mistake")
    expectEqual(mistake.status, .internalError)
    expectTrue(mistake.body.contains("This is a bug in 'strata'. Please report it."))
    try await expectEqual(get("numbers").body, "null")
    try await expectEqual(get("numbers?limit=7").body, "7")
    for wrong in ["0", "1001", "x", "", "1.5"] {
      let answer = try await get("numbers?limit=\(wrong)")
      expectEqual(answer.status, .badRequest)
      expectTrue(answer.body.contains("The parameter 'limit' is no whole number from 1 to 1000."))
    }
  }

  @Test func `A body that is no JSON is told where`() async throws {
    let answer = try await answer(site(), "POST /api/changes", try post(), body: "{\"a\" 1}")
    expectEqual(answer.status, .badRequest)
    expectEqual(
      answer.body,
      #"{"error":"The body is no JSON: byte 5 should be ':'. Repair it.","code":"badJSON"}"#)
  }

  @Test func `A download is a path of its own`() async throws {
    let path = studio.gate.downloadPath { .json("rows") }
    try await expectEqual(answer(site(), "GET \(path)").body, #""rows""#)
    try await expectEqual(answer(site(), "GET \(path)").status, .notFound)
  }
}
