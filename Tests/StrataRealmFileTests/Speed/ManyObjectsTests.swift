import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// Reading of many objects. An optimized build with `STRATA_REALM_FILE_ROWS=1000000` measures the
/// time.
@Suite("Many objects", .serialized)
struct ManyObjectsTests {
  private static let asked = ProcessInfo.processInfo.environment["STRATA_REALM_FILE_ROWS"]
    .flatMap { Int($0) }
  private static let count = asked ?? 70_000

  @Test func `Single values are read from all objects`() throws {
    try withPeople { file in
      let rows = try file.rows("Person")
      var number = 0
      while try rows.next() {
        guard rows.key == number, try rows.string(0) == FileWriter.firstName(number),
          try rows.string(1) == FileWriter.lastName(number),
          try rows.int(2) == FileWriter.age(number)
        else {
          Issue.record("Object \(number) has other values")
          return
        }
        number += 1
      }
      expectEqual(number, Self.count)
      expectEqual(file.classes[0].count, Self.count)
    }
  }

  @Test func `Three properties of an object take less than Realm needs`() throws {
    try withPeople { file in
      try measure("3 properties, texts as String", limit: 87) {
        let rows = try file.rows("Person")
        var sum = 0
        while try rows.next() {
          sum += try rows.string(0)?.utf8.count ?? 0
          sum += try rows.string(1)?.utf8.count ?? 0
          sum += Int(try rows.int(2) ?? 0)
        }
        return sum
      }
      try measure("3 properties, texts as bytes", limit: 87) {
        let rows = try file.rows("Person")
        var sum = 0
        while try rows.next() {
          sum += try rows.bytes(0)?.count ?? 0
          sum += try rows.bytes(1)?.count ?? 0
          sum += Int(try rows.int(2) ?? 0)
        }
        return sum
      }
      try measure("objects with 3 values", limit: nil) {
        let objects = try file.objects("Person")
        var sum = 0
        while let object = try objects.next() { sum += object.values.count }
        return sum
      }
    }
  }

  private func withPeople(_ body: (RealmFile) throws -> Void) throws {
    let file = try TemporaryFile(FileWriter.people(Self.count))
    defer { withExtendedLifetime(file) {} }
    try body(RealmFile(file.url))
  }

  /// Compares the shortest of some passes with a limit, if the test is to measure.
  ///
  /// - Parameter limit: Nanoseconds of an object on the processor.
  private func measure(_ what: String, limit: Double?, _ body: () throws -> Int) throws {
    let passes = Self.asked == nil ? 1 : 9
    var shortest = Double.infinity
    for _ in 0..<passes {
      let start = clock()
      try expectTrue(body() > 0)
      shortest = min(shortest, Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }
    let nanoseconds = shortest * 1e9 / Double(Self.count)
    guard Self.asked != nil else { return }
    print("\(what): \(nanoseconds.rounded()) ns")
    if let limit { expectTrue(nanoseconds <= limit) }
  }
}
