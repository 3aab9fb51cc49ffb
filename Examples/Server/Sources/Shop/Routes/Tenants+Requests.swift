import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Strata

/// The context of a request. Bodies are small here.
struct ShopContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The newest write of the client, which each response to a read must show.
  var token: HistoryToken?

  init(source: Source) { coreContext = .init(source: source) }

  var maxUploadSize: Int { 64 << 10 }
}

extension ShopContext {
  /// A part of the path, percent-decoded.
  func parameter(_ name: String) throws -> String {
    let text = try parameters.require(name)
    return text.removingPercentEncoding ?? text
  }

  func tenant() throws -> TenantName { try TenantName(parameter("tenant")) }
}

extension Request {
  /// Decodes the body. Errors name the location in the JSON.
  func value<Value: Decodable>(_ type: Value.Type, _ context: ShopContext) async throws -> Value {
    do {
      let text = try await body.collect(upTo: context.maxUploadSize)
      return try JSONDecoder().decode(type, from: Data(text.readableBytesView))
    } catch is NIOTooManyBytesError {
      throw ShopError(
        .contentTooLarge, "too_large", "A body has up to \(context.maxUploadSize) bytes.")
    } catch DecodingError.keyNotFound(let key, let place) {
      throw ShopError.invalid("'\(Self.path(place.codingPath + [key]))' is missing.")
    } catch DecodingError.typeMismatch(_, let place), DecodingError.valueNotFound(_, let place),
      DecodingError.dataCorrupted(let place)
    {
      guard !place.codingPath.isEmpty else {
        throw ShopError.invalid("The body isn't a JSON object, with whole numbers.")
      }
      throw ShopError.invalid("'\(Self.path(place.codingPath))' has a value of a wrong type.")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
  }
}

extension Tenants {
  /// Answers a request by reading the file of the tenant in its path.
  ///
  /// A replica first waits for the client's own writes. Headers tell its version and time.
  nonisolated func read(
    _ context: ShopContext, _ body: (Realm) throws -> Answer
  ) async throws -> Answer {
    try await use(context.tenant()) { tenant in
      let realm = try Realm(configuration: tenant.configuration)
      do {
        if let token = context.token { try await realm.wait(for: token, within: .seconds(2)) }
      } catch Realm.Error.historyDiverged {
        // That write was lost with the former primary. The response has a new token.
      }
      // Read before the data, which can only be newer.
      let state = realm.replicaState
      let token = try realm.historyToken
      var answer = try body(realm)
      answer.show(token, of: context)
      if let state {
        answer.headers[.replicaVersion] = state.version
        answer.headers[.asOf] = state.shownAsOf.map {
          $0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
      }
      return answer
    }
  }

  /// Answers a request by a transaction on the file of the tenant in its path.
  ///
  /// The thread isn't blocked while others write. If the closure throws, nothing is written.
  nonisolated func write(
    _ context: ShopContext, _ body: (Realm) throws -> Answer
  ) async throws -> Answer {
    try await use(context.tenant()) { tenant in
      let realm = try Realm(configuration: tenant.configuration)
      var answer = try await realm.asyncWrite { try body(realm) }
      answer.show(try realm.historyToken, of: context)
      return answer
    }
  }

  /// Does the work once, even if the client retries because the response was lost. The request's
  /// key and its response are written in the same transaction as the work.
  nonisolated func writeOnce(
    _ request: Request, _ context: ShopContext, asking value: some Encodable,
    _ body: (Realm) throws -> Answer
  ) async throws -> Answer {
    guard let key = request.headers[.idempotencyKey] else {
      throw ShopError.invalid(
        "A header 'Idempotency-Key' is missing: a text that the client makes for each order, and "
          + "sends again with it.")
    }
    try Checks.text(key, "Idempotency-Key", 8...100)
    let asked = "\(request.method) \(request.uri.path) \(try Answer.json(value))"
    return try await write(context) { realm in
      if let earlier = realm.object(ofType: StoredAnswer.self, forPrimaryKey: key) {
        guard earlier.request == asked else {
          throw ShopError(
            .unprocessableContent, "key_used",
            "The 'Idempotency-Key' was used for another request.")
        }
        var answer = Answer(.init(code: earlier.status), json: earlier.body)
        answer.headers[.idempotentReplay] = "true"
        return answer
      }
      let answer = try body(realm)
      realm.create(
        StoredAnswer.self,
        value: [
          "key": key, "request": asked, "status": answer.status.code, "body": answer.body,
        ] as [String: Any])
      return answer
    }
  }
}

extension Answer {
  /// Gives the client the token of what it has written or seen: in a header, for programs, and in a
  /// cookie, for browsers. After a failover, a lost token may name a transaction that never comes:
  /// the cookie ends after ten minutes.
  fileprivate mutating func show(_ token: HistoryToken?, of context: ShopContext) {
    guard let token, let tenant = context.parameters.get("tenant") else { return }
    headers[.historyToken] = token.description
    headers[.setCookie] =
      "\(TokenMiddleware.cookie)=\(token); Path=/tenants/\(tenant); Max-Age=600; HttpOnly; SameSite=Lax"
  }
}

extension ReplicaState {
  /// The time of the shown state: nothing from before that time is missing.
  var shownAsOf: Date? { [checkedAt, sentAt].compactMap(\.self).max() }
}

extension HTTPField.Name {
  static let idempotencyKey = Self("Idempotency-Key")!
  static let idempotentReplay = Self("Idempotent-Replay")!
  static let asOf = Self("As-Of")!
  static let historyToken = Self("History-Token")!
  static let replicaVersion = Self("Replica-Version")!
}
