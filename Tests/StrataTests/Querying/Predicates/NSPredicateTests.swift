import Foundation
import StrataQuery
import TestKit
import Testing

@testable import Strata

/// The text of a predicate's condition.
private func text(_ predicate: NSPredicate) -> String { QueryPredicate(predicate).description }

@Suite struct NSPredicateTests {
  @Test func `A predicate has the condition of its format`() {
    expectEqual(text(NSPredicate(format: "age > 3")), "age > 3")
    expectEqual(
      text(NSPredicate(format: "age > %@ OR name = %@", 3, "Ada")), "age > 3 OR name == 'Ada'")
    expectEqual(text(NSPredicate(format: "%K == %d", "age", 3)), "age == 3")
    expectEqual(text(NSPredicate(format: "age IN %@", [1, 2])), "age IN {1, 2}")
    expectEqual(text(NSPredicate(format: "nick == %@", NSNull())), "nick == NULL")
    expectEqual(
      text(NSPredicate(format: "nick == %@", Optional<String>.none as Any)), "nick == NULL")
    expectEqual(text(NSPredicate(format: "nick == %@", Optional("x") as Any)), "nick == 'x'")
    expectEqual(text(NSPredicate(format: "age == %@", NSNumber(value: 3))), "age == 3")
    expectEqual(text(NSPredicate(format: "name == %@", NSString(string: "x"))), "name == 'x'")
    expectEqual(text(NSPredicate(format: "age IN %@", NSArray(array: [1, 2]))), "age IN {1, 2}")
    expectEqual(text(NSPredicate(format: "age IN %@", Set([1]))), "age IN {1}")
    expectEqual(
      text(NSPredicate(format: "%K == %@ AND b == 1", argumentArray: ["a", 2])), "a == 2 AND b == 1"
    )
    expectEqual(text(NSPredicate(format: "a == 1", argumentArray: nil)), "a == 1")
  }

  @Test func `Constant predicates are conditions`() {
    expectEqual(text(NSPredicate(value: true)), "TRUEPREDICATE")
    expectEqual(text(NSPredicate(value: false)), "FALSEPREDICATE")
  }

  @Test func `Compound predicates are conditions`() {
    let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2 OR c == 3"))
    expectEqual(
      text(NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])),
      "a == 1 AND (b == 2 OR c == 3)")
    expectEqual(
      text(NSCompoundPredicate(orPredicateWithSubpredicates: [a, b, NSPredicate(value: true)])),
      "a == 1 OR (b == 2 OR c == 3) OR TRUEPREDICATE")
    expectEqual(
      text(NSCompoundPredicate(notPredicateWithSubpredicate: b)), "NOT (b == 2 OR c == 3)")
    expectEqual(
      text(
        NSCompoundPredicate(
          andPredicateWithSubpredicates: [NSCompoundPredicate(notPredicateWithSubpredicate: a), a])),
      "NOT a == 1 AND a == 1")
    expectEqual(text(NSCompoundPredicate(andPredicateWithSubpredicates: [])), "TRUEPREDICATE")
    expectEqual(text(NSCompoundPredicate(orPredicateWithSubpredicates: [])), "FALSEPREDICATE")
  }

  private static let block =
    "Only support compound, comparison, and constant predicates. Use 'filter { … }', which reads "
    + "all objects. A copy of a predicate with a format is a block too."

  @Test func `A block can't be read, and is not called`() {
    let block = NSPredicate(block: { _, _ in fatalError("It was called.") })
    expectEqual(QueryPredicate(block), .invalid(PredicateProblem(Self.block)))
    let compound = NSCompoundPredicate(
      andPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), block])
    expectEqual(QueryPredicate(compound), .invalid(PredicateProblem(Self.block)))
  }

  @Test func `A compound that is nested too deep is a problem`() {
    func nested(_ depth: Int) -> NSPredicate {
      (0..<depth).reduce(NSPredicate(format: "a == 1")) { inner, _ in
        NSCompoundPredicate(notPredicateWithSubpredicate: inner)
      }
    }
    expectTrue(text(nested(200)).hasPrefix("NOT NOT "))
    expectTrue(text(nested(201)).contains("more than 200 conditions inside of each other"))
  }

  @Test func `A text that is no condition makes an invalid one`() {
    expectEqual(
      QueryPredicate(NSPredicate(format: "age >")),
      .invalid(
        PredicateProblem(
          "Unable to parse the format string \"age >\". A value is missing after '>' (column 6).",
          logged:
            "Unable to parse the format string. A value is missing after '>' (column 6).")))
  }

  #if !canImport(Darwin)
    @Test func `Conditions of predicates that are gone are forgotten`() {
      for number in 0..<10_000 {
        let predicate = NSPredicate(format: "age == %@", number)
        expectEqual(text(predicate), "age == \(number)")
      }
      expectTrue(FormatPredicates.count < 5_000)
      // A block at the address of an earlier predicate is still a block.
      for _ in 0..<1_000 {
        let block = NSPredicate(block: { _, _ in true })
        expectEqual(QueryPredicate(block), .invalid(PredicateProblem(Self.block)))
      }
    }
  #endif

  @Test func `Predicates are made and read on many threads`() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<2_000).allSatisfy { number in
            text(NSPredicate(format: "a == %@", task * 10_000 + number))
              == "a == \(task * 10_000 + number)"
          }
        }
      }
      for await isRight in group { expectTrue(isRight) }
    }
  }

  // MARK: - In memory

  @Test func `A predicate is evaluated with an object`() {
    let person = Q.Person(value: ["name": "Ada", "age": 36])
    person.dogs.append(Q.Dog(value: ["name": "Rex", "age": 3]))
    expectTrue(NSPredicate(format: "age > 30 AND name BEGINSWITH[c] 'a'").evaluate(with: person))
    expectFalse(NSPredicate(format: "age > 36").evaluate(with: person))
    expectTrue(NSPredicate(format: "ANY dogs.name == %@", "Rex").evaluate(with: person))
    expectTrue(NSPredicate(format: "dog == nil").evaluate(with: person))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "age == 36"), NSPredicate(format: "dogs.@count == 1"),
    ])
    expectTrue(both.evaluate(with: person))
    expectEqual([person].filter { both.evaluate(with: $0) }.count, 1)
  }

  @Test func `A predicate is evaluated with a value`() {
    expectTrue(NSPredicate(format: "SELF > 3").evaluate(with: 4))
    expectFalse(NSPredicate(format: "SELF > 3").evaluate(with: 3))
    expectTrue(NSPredicate(format: "SELF CONTAINS 'd'").evaluate(with: "Ada"))
  }

  @Test func `What can't be evaluated is reported, and false`() {
    for predicate in [NSPredicate(format: "name >"), NSPredicate(format: "nme == 'Ada'")] {
      withKnownIssue {
        expectFalse(predicate.evaluate(with: Q.Person()))
      } matching: {
        "\($0)".contains("Unable to parse") || "\($0)".contains("'nme' not found")
      }
    }
    expectIssue("can't be evaluated with nil") {
      expectFalse(NSPredicate(format: "a == 1").evaluate(with: nil))
    }
    expectIssue("can't be evaluated with 'Dictionary<String, Int>'") {
      expectFalse(NSPredicate(format: "a == 1").evaluate(with: ["a": 1]))
    }
  }
}
