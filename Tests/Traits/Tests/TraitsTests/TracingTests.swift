import Foundation
import InMemoryTracing
import Strata
import Testing
import Tracing

@Suite struct TracingTests {
  private func spans(_ tracer: InMemoryTracer, _ name: String) -> [FinishedInMemorySpan] {
    tracer.finishedSpans.filter { $0.operationName == name }
  }

  @Test func `A transaction is a span of the task that asked`() async throws {
    let folder = try Folder()
    let tracer = InMemoryTracer()
    let realm = try await Realm.open(
      configuration: folder.configuration([.tracing(tracer: tracer)]))
    try await tracer.withSpan("request") { request in
      try await realm.asyncWrite(author: "shop") { realm.add(Parcel(1, "Lima")) }
      let span = try #require(spans(tracer, "write parcels.sqlite").first)
      #expect(span.parentSpanID == request.spanID)
      #expect(span.kind == .client)
      #expect(span.attributes.get("db.system.name") == .string("sqlite"))
      #expect(span.attributes.get("db.namespace") == .string("parcels.sqlite"))
      #expect(span.attributes.get("db.operation.name") == .string("write"))
      #expect(span.attributes.get("strata.author") == .string("shop"))
      #expect(span.attributes.get("strata.rows_written") == .int64(1))
      #expect(span.attributes.get("strata.committed") == .bool(true))
    }
    #expect(spans(tracer, "open parcels.sqlite").count == 1)
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `A file that is opened in the background is opened for the task that asked`()
    async throws
  {
    let folder = try Folder()
    let tracer = InMemoryTracer()
    try await tracer.withSpan("request") { request in
      _ = try await Realm.open(configuration: folder.configuration([.tracing(tracer: tracer)]))
      let span = try #require(spans(tracer, "open parcels.sqlite").first)
      #expect(span.parentSpanID == request.spanID)
    }
  }

  @Test func `Waiting is a part of its transaction, and a slow query as well`() async throws {
    let folder = try Folder()
    let tracer = InMemoryTracer()
    let tracing = RealmTracing(tracer: tracer, slowQueryThreshold: .zero)
    let configuration = folder.configuration([tracing])
    let realm = try await Realm.open(configuration: configuration)
    realm.beginWrite()
    let other = Task {
      let realm = try await Realm.open(configuration: configuration)
      try await realm.asyncWrite {
        _ = realm.objects(Parcel.self).where { $0.city == "Oslo" }.count
      }
    }
    // The other transaction has begun, and has waited for a time that a span tells.
    while tracer.activeSpans.count(where: { $0.operationName == "write parcels.sqlite" }) < 2 {
      try await Task.sleep(for: .milliseconds(5))
    }
    try await Task.sleep(for: .milliseconds(60))
    realm.cancelWrite()
    try await other.value
    let wait = try #require(spans(tracer, "wait parcels.sqlite").last)
    let write = try #require(
      spans(tracer, "write parcels.sqlite").first { $0.spanID == wait.parentSpanID })
    #expect(write.attributes.get("strata.committed") == .bool(true))
    #expect(wait.startInstant.nanosecondsSinceEpoch < wait.endInstant.nanosecondsSinceEpoch)
    let query = try #require(spans(tracer, "SELECT Parcel").first)
    #expect(query.parentSpanID == write.spanID)
    #expect(query.attributes.get("db.collection.name") == .string("Parcel"))
    guard case .string(let sql)? = query.attributes.get("db.query.text") else {
      Issue.record("no statement")
      return
    }
    #expect(!sql.contains("Oslo"))
  }

  @Test func `A failure has its code and its status, without values`() async throws {
    let folder = try Folder()
    let tracer = InMemoryTracer()
    let configuration = folder.configuration([.tracing(tracer: tracer)])
    try Data("no database, but more than 512 bytes of text".utf8).write(
      to: try #require(configuration.fileURL))
    await #expect(throws: Realm.Error.self) { try await Realm.open(configuration: configuration) }
    let span = try #require(spans(tracer, "open parcels.sqlite").first)
    #expect(span.attributes.get("error.type") != nil)
    #expect(span.status?.code == .error)
  }
}
