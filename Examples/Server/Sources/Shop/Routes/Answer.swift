import Foundation
import Hummingbird
import NIOCore

/// A response with a status and a JSON text.
struct Answer: ResponseGenerator, Sendable {
  let status: HTTPResponse.Status
  let body: String
  var headers = HTTPFields()

  init(_ status: HTTPResponse.Status, json body: String) {
    self.status = status
    self.body = body
  }

  init(_ status: HTTPResponse.Status = .ok, _ value: some Encodable) throws {
    self.init(status, json: try Self.json(value))
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  var response: Response {
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: body + "\n")))
  }

  func response(from request: Request, context: some RequestContext) -> Response { response }
}
