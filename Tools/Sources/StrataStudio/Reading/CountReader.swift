import GRDB
import StrataQuery
import StrataSchema

extension FileReader {
  /// The number of objects in each class; nil if counting takes too long. Counts are cached for a
  /// version.
  ///
  /// - Parameter version: The number of commits seen before the call. The counts include these
  ///   commits. They may include later ones whose events haven't arrived yet.
  func counts(version: Int) async throws -> [(className: String, count: Int?)] {
    let classes = try await open().schema.objectSchema.map(\.className)
    if known?.version != version { known = (version, [:]) }
    var counts: [(className: String, count: Int?)] = []
    for name in classes {
      var count = known?.version == version ? known?.counts[name] : nil
      if count == nil {
        count = try await unlessSlow { try await self.count(Question(name), .seconds(2)) }
        // Another version may have been requested in the meantime.
        if known?.version == version { known?.counts[name] = count }
      }
      counts.append((name, count))
    }
    return counts
  }

  /// The number of objects that a query finds.
  ///
  /// - Parameter all: Whether all objects are counted, however long it takes. Otherwise counting
  ///   stops after half a second or 10,000 objects.
  func count(_ question: Question, all: Bool) async throws -> (count: Int, more: Bool) {
    if all { return (try await count(question, Self.maxTime), false) }
    if let count = try await unlessSlow({ try await self.count(question, .milliseconds(500)) }) {
      return (count, false)
    }
    let count = try await read { db, schema in
      let query = try question.compiled(schema)
      return try db.count(
        "SELECT count(*) FROM (\(query.aggregate("1")) LIMIT \(Self.fewRows))", query.parameters)
    }
    return (count, count == Self.fewRows)
  }

  /// The number of objects before a key; nil if counting takes too long.
  func position(of key: String, _ question: Question) async throws -> Int? {
    try await unlessSlow {
      try await self.read(atMost: .milliseconds(500)) { db, schema in
        try PageReader(question, schema, db).position(of: key)
      }
    }
  }

  /// The approximate number of objects in a class, without reading them.
  func approximateCount(of className: String) async throws -> Int {
    try await read { db, schema in
      let table = try schema.objectSchema(className)
      let sql =
        "SELECT max(\(SQLName.quote(table.identityColumn))) FROM \(SQLName.quote(className))"
      return try db.count(sql)
    }
  }

  private static let fewRows = 10_000

  private func count(_ question: Question, _ limit: Duration) async throws -> Int {
    try await read(atMost: limit) { db, schema in try question.compiled(schema).count(db) }
  }

  private func unlessSlow(_ body: () async throws -> Int) async throws -> Int? {
    do {
      return try await body()
    } catch let failure as RequestFailure where failure.code == "slow" {
      return nil
    }
  }
}

extension QuerySQL {
  /// The number of rows.
  func count(_ db: Database) throws -> Int { try db.count(aggregate("count(*)"), parameters) }
}
