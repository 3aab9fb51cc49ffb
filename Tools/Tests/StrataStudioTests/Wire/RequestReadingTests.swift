import TestKit
import Testing

@testable import StrataStudio

/// Heads of requests, which are parsed byte by byte. Ambiguous heads are refused.
@Suite struct RequestReadingTests {
  private static let start = "GET /api/file HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"

  private func read(
    _ text: String, limits: StudioLimits = StudioLimits()
  ) throws(RequestFailure) -> RequestHead? {
    var reader = RequestHeadReader(limits)
    return try reader.read(Array(text.utf8)[...])?.head
  }

  private func failure(_ text: String, limits: StudioLimits = StudioLimits()) -> RequestFailure? {
    do throws(RequestFailure) {
      _ = try read(text, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A request of a page is read`() throws {
    let head = try RequestHead.reading([
      "POST /api/objects/My%20Dog%2F1?where=age%20%3E+3&sort=-age HTTP/1.1", "Host: localhost:80",
      "Strata-Key:  abc \t", "Content-Length: 12", "Accept-Language: de,en;q=0.5",
      "Accept-Encoding: gzip", "X-Empty:",
    ])
    expectEqual(head.method, "POST")
    expectEqual(head.target.path, ["api", "objects", "My Dog/1"])
    expectEqual(head.target.query["where"], "age > 3")
    expectEqual(head.target.query["sort"], "-age")
    expectNil(head.target.query["after"])
    expectEqual(head.headers["strata-key"], "abc")
    expectEqual(head.headers["x-empty"], "")
    expectEqual(head.contentLength, 12)
    expectTrue(head.keepsConnection)
  }

  @Test func `The path of the page has no parts`() throws {
    let head = try RequestHead.reading(["GET /?token=5f HTTP/1.1", "Host: a", "Connection: close"])
    expectEqual(head.target.path, [])
    expectEqual(head.target.query["token"], "5f")
    expectFalse(head.keepsConnection)
  }

  @Test func `What follows a head is given back`() throws {
    var reader = RequestHeadReader(StudioLimits())
    let bytes = Array((Self.start + "\r\nGET /next").utf8)
    let rest = try #require(try reader.read(bytes[...])).rest
    expectEqual(String(decoding: rest, as: UTF8.self), "GET /next")
  }

  @Test(arguments: [
    ("a line that ends with LF only", "GET / HTTP/1.1\nHost: a\n\n"),
    ("a header that ends with LF only", start + "A: b\nC: d\r\n\r\n"),
    ("a carriage return within a line", start + "A: b\rc\r\n\r\n"),
    ("a zero byte", start + "A: b\u{0}c\r\n\r\n"),
    ("a zero byte in the address", "GET /\u{0} HTTP/1.1\r\n"),
    ("another control character", start + "A: b\u{1}c\r\n\r\n"),
    ("version 1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n"),
    ("version 2", "PRI * HTTP/2.0\r\n\r\n"),
    ("no version", "GET /\r\n\r\n"),
    ("two spaces", "GET  / HTTP/1.1\r\n\r\n"),
    ("an empty first line", "\r\nGET / HTTP/1.1\r\n"),
    ("a method of small letters", "get / HTTP/1.1\r\n"),
    ("a whole address", "GET http://127.0.0.1:8080/ HTTP/1.1\r\n"),
    ("an asterisk", "OPTIONS * HTTP/1.1\r\n"),
    ("a fragment", "GET /#key=1 HTTP/1.1\r\n"),
    ("letters that are not ASCII", "GET /Hündin HTTP/1.1\r\n"),
    ("a percent sign without digits", "GET /%4 HTTP/1.1\r\n"),
    ("a percent sign with other letters", "GET /?a=%zz HTTP/1.1\r\n"),
    ("a path that is no UTF-8", "GET /%FF HTTP/1.1\r\n"),
    ("a parameter that is no UTF-8", "GET /?a=%C3%28 HTTP/1.1\r\n"),
    ("a parameter twice", "GET /?a=1&a=2 HTTP/1.1\r\n"),
    ("a header without a colon", start + "Accept\r\n\r\n"),
    ("a header without a name", start + ": b\r\n\r\n"),
    ("a space before the colon", start + "Accept : b\r\n\r\n"),
    ("a header on two lines", start + "Accept: a\r\n b\r\n\r\n"),
    ("no host", "GET / HTTP/1.1\r\nAccept: a\r\n\r\n"),
    ("two hosts", start + "HOST: b\r\n\r\n"),
    ("two lengths", start + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
    ("two cookies", start + "Cookie: a=b\r\nCookie: c=d\r\n\r\n"),
    ("two origins", start + "Origin: a\r\nOrigin: a\r\n\r\n"),
    ("two keys", start + "Strata-Key: a\r\nStrata-Key: a\r\n\r\n"),
    ("a transfer encoding", start + "Transfer-Encoding: chunked\r\n\r\n"),
    ("a length with a sign", start + "Content-Length: +5\r\n\r\n"),
    ("a length below zero", start + "Content-Length: -5\r\n\r\n"),
    ("an empty length", start + "Content-Length:\r\n\r\n"),
    ("two lengths in one", start + "Content-Length: 5, 5\r\n\r\n"),
    ("a body of GET", start + "Content-Length: 5\r\n\r\n"),
  ])
  func `What can be read in two ways is refused`(name: String, text: String) throws {
    let refusal = try #require(failure(text), "\(name)")
    expectEqual(refusal.status, .badRequest, "\(name)")
    expectTrue(refusal.endsConnection, "\(name)")
    expectEqual(refusal.code, "badRequest", "\(name)")
  }

  @Test func `A body needs its length, and one that memory can count`() {
    expectEqual(
      failure("POST / HTTP/1.1\r\nHost: a\r\n\r\n")?.status, .lengthRequired)
    expectEqual(failure("PUT / HTTP/1.1\r\nHost: a\r\n\r\n")?.status, .lengthRequired)
    expectEqual(
      failure("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n")?.status,
      .contentTooLarge)
  }

  @Test func `An address may have 8 KB, and not a byte more`() throws {
    let longest = "/" + String(repeating: "a", count: 8191)
    let head = try #require(try read("GET \(longest) HTTP/1.1\r\nHost: a\r\n\r\n"))
    expectEqual(head.target.path.first?.utf8.count, 8191)
    expectEqual(failure("GET \(longest)a HTTP/1.1\r\n")?.status, .targetTooLong)
    // The end of the line isn't waited for.
    let longer = String(repeating: "a", count: 100)
    expectEqual(failure("GET \(longest)\(longer)")?.status, .targetTooLong)
  }

  @Test func `A head may have 16 KB, and not a byte more`() throws {
    let rest = 16_384 - Self.start.utf8.count - "A: \r\n\r\n".utf8.count
    let longest = Self.start + "A: " + String(repeating: "b", count: rest)
    try expectTrue(read(longest + "\r\n\r\n") != nil)
    expectEqual(failure(longest + "b\r\n\r\n")?.status, .headersTooLarge)
  }

  @Test func `A head may have 100 headers, and not one more`() throws {
    let headers = (2...100).map { "A\($0): b\r\n" }.joined()
    try expectEqual(read(Self.start + headers + "\r\n")?.headers.count, 100)
    expectEqual(failure(Self.start + headers + "B: c\r\n\r\n")?.status, .headersTooLarge)
  }

  @Test(arguments: ["GET /", start + "A: ", start + "A: b\r\n", ""])
  func `A line of 100 KB is refused at once`(beginning: String) throws {
    let bytes = Array(beginning.utf8) + Array(repeating: UInt8(ascii: "a"), count: 100_000)
    var fastest = Duration.seconds(60)
    for _ in 0..<20 {
      var reader = RequestHeadReader(StudioLimits())
      var failure: RequestFailure?
      let time = ContinuousClock().measure {
        do throws(RequestFailure) {
          _ = try reader.read(bytes[...])
        } catch {
          failure = error
        }
      }
      let isURL = !beginning.hasPrefix(Self.start)
      expectEqual(failure?.status, (isURL ? .targetTooLong : .headersTooLarge))
      fastest = min(fastest, time)
    }
    expectTrue(fastest <= .milliseconds(10))
  }

  @Test func `A request may come in two parts, whichever they are`() throws {
    let lines = [
      "POST /a%20b?c=d+e&f=%C3%BC HTTP/1.1", "Host: localhost:1", "Content-Length: 3", "", "xyz",
    ]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    var whole = RequestHeadReader(StudioLimits())
    let expected = try #require(try whole.read(bytes[...]))
    for split in 0...bytes.count {
      var reader = RequestHeadReader(StudioLimits())
      if let (head, rest) = try reader.read(bytes[..<split]) {
        expectEqual(head, expected.head, "\(split)")
        expectEqual(Array(rest) + Array(bytes[split...]), Array("xyz".utf8), "\(split)")
      } else {
        let result = try #require(try reader.read(bytes[split...]), "\(split)")
        expectEqual(result.head, expected.head, "\(split)")
        expectEqual(Array(result.rest), Array("xyz".utf8), "\(split)")
      }
    }
  }

  /// The outcome of reading, to compare.
  private enum Outcome: Hashable {
    case head(RequestHead)
    case refused(RequestFailure)
    case more
  }

  private func outcome(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
    var reader = RequestHeadReader(StudioLimits())
    do throws(RequestFailure) {
      for piece in pieces {
        if let head = try reader.read(piece)?.head { return .head(head) }
      }
      return .more
    } catch {
      return .refused(error)
    }
  }

  @Test func `Random bytes don't stop the reader, however they are split`() {
    var random = SplitMix64(seed: 28)
    let request = Array((Self.start + "Cookie: a=b\r\nOrigin: http://c\r\n\r\n").utf8)
    var heads = 0
    var refusals = 0
    for round in 0..<10_000 {
      var bytes: [UInt8]
      if round.isMultiple(of: 2) {
        let count = Int.random(in: 0...200, using: &random)
        bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      } else {
        // A request with some bytes changed gets further than noise.
        bytes = request
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let index = Int.random(in: bytes.indices, using: &random)
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let split = Int.random(in: 0...bytes.count, using: &random)
      let whole = outcome([bytes[...]])
      expectEqual(whole, outcome([bytes[..<split], bytes[split...]]), "round \(round)")
      if case .head = whole { heads += 1 }
      if case .refused = whole { refusals += 1 }
    }
    expectTrue(heads > 500)
    expectTrue(refusals > 2000)
  }
}
