import Foundation
import StrataQuery
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Conditions of the maximum depth, on a thread with the small stack of an app's threads.
@Suite struct DeepConditionTests {
  @Test(
    arguments: [
      ("NOT ", "", 1, true), ("(", ")", 1, true), ("NOT (", ")", 2, true),
      ("(age == 1 AND (age == 36 OR ", "))", 2, false),
      ("(age == 36 AND (age == 1 OR ", "))", 2, true),
      ("NOT (age == 36 AND ", ")", 2, true),
      ("SUBQUERY(dogs, $d, ", ").@count == 0", QueryDepth.ofSubqueryInText, true),
    ])
  func `The deepest condition is evaluated on a small stack`(
    _ before: String, _ after: String, _ levels: Int, _ expected: Bool
  ) async {
    let count = QueryDepth.maxDepth / levels
    let format =
      String(repeating: before, count: count) + "age == 36" + String(repeating: after, count: count)
    let isTrue = await onSmallStack {
      NSPredicate(format: format).evaluate(with: Q.Person(value: ["id": 1, "age": 36]))
    }
    expectEqual(isTrue, expected)
  }

  @Test(
    arguments: [
      ("NOT ", "", 1), ("(", ")", 1), ("NOT (", ")", 2), ("(age == 36 AND (age == 1 OR ", "))", 2),
      ("NOT (age == 36 AND ", ")", 2), ("SUBQUERY(dogs, $d, ", ").@count == 0", 20),
    ])
  func `A file gives the same answer for a deep condition`(
    _ before: String, _ after: String, _ levels: Int
  ) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Q.types))
    try realm.write { realm.add(Q.Person(value: ["id": 1, "age": 36])) }
    let memory = Q.Person(value: ["id": 1, "age": 36])
    // SQLite before 3.46 has room for 100 signs that wait for others.
    for count in [1, 5, 12, 30] where count * levels <= QueryDepth.maxDepth {
      let format =
        String(repeating: before, count: count) + "age == 36"
        + String(repeating: after, count: count)
      let found = try realm.objects(Q.Person.self).filter(validating: format)
      let isTrue = NSPredicate(format: format).evaluate(with: memory)
      expectEqual(found.count, (isTrue ? 1 : 0), "\(count) times \(before)")
    }
  }

  @Test func `A condition that SQLite can't read is refused when it is made`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Q.types))
    let people = realm.objects(Q.Person.self)
    for (before, after, count) in [
      ("(age == 36 AND (age == 1 OR ", "))", 40), ("SUBQUERY(dogs, $d, ", ").@count == 0", 10),
    ] {
      let format =
        String(repeating: before, count: count) + "age == 36"
        + String(repeating: after, count: count)
      expectError(beginning: "The condition is nested deeper than 64 levels.") {
        try people.filter(validating: format)
      }
    }
  }

  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
