import StrataQuery
import TestKit
import Testing

@testable import Strata

@Suite struct TypeSafeProblemTests {
  @Test func `A computed property is a mistake that names the repair`() {
    let sentence =
      "is no '@Persisted' property. Query the properties that it is computed from."
    expectTree("SELF.<A key path of 'Person' with values of type 'Int' \(sentence)> == 3") {
      $0.twice == 3
    }
    expectTree("SELF.<A key path of 'Person' with values of type 'String' \(sentence)> == ''") {
      $0.nickOrEmpty == ""
    }
    expectTree("SELF.<A key path of 'Person' with values of type 'Int' \(sentence)> == 3") {
      $0.plain == 3
    }
    expectTree(
      "ANY dog.owners.<A key path of 'Person' with values of type 'String' \(sentence)> == ''"
    ) {
      $0.dog.owners.both == ""
    }
  }

  @Test func `A property of the object of a key is a mistake`() {
    expectTree(
      "<Cannot apply key path to Map subscripts. It was applied to the value of 'a'. Compare the "
        + "object itself, or ask about the objects of all keys with 'values'.>"
    ) { $0.dogsByName["a"].name == "Rex" }
    let problem = Query<Q.Person>().dogsByName["secret"].name == "Rex"
    guard case .invalid(let found) = problem.content.predicate else {
      Issue.record("It should be a problem.")
      return
    }
    expectFalse(found.loggedMessage.contains("secret"))
  }

  @Test func `Two collections can't be compared`() {
    expectTree(
      "<Comparing two collection columns is not permitted. They are 'dogs.age' and "
        + "'company.staff.age': compare one of them with an aggregate of the other, such as 'max'.>"
    ) { $0.dogs.age == $0.company.staff.age }
  }

  @Test func `A condition that is counted must be about one collection`() {
    expectTree(
      "<Subqueries must contain a keypath starting with a collection. Write the condition on a "
        + "property of a collection's objects before '.count': '($0.dogs.age > 3).count'.>"
    ) { ($0.age > 3).count > 0 }
    expectTree(
      "<Subqueries do not support map subscripts. Use 'values' before '.count', and 'keys' in a "
        + "condition of its own.>"
    ) { ($0.points["a"] > 3).count > 0 }
    expectTree(
      "<Subquery predicates will only work on one collection at a time, split your query up. They "
        + "are 'dogs' and 'scores': write '.count' behind each condition.>"
    ) { ($0.dogs.age > 3 && $0.scores > 3).count > 0 }
  }

  @Test func `An aggregate needs a collection on the path`() {
    expectProblem("is not a link or collection and can only appear at the end") { $0.age.avg > 3 }
  }

  @Test func `Values can't be counted by a condition`() {
    expectProblem("'scores' is none. For values, use 'ANY'.") { ($0.scores > 3).count == 1 }
    expectProblem("'points' is none. For values, use 'ANY'.") { ($0.points.values > 3).count == 1 }
  }

  /// Expects that the schema refuses a condition.
  private func expectProblem(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (Query<Q.Person>) -> Query<Bool>
  ) {
    let predicate = condition(Query()).content.predicate
    let problem = #expect(throws: PredicateProblem.self, sourceLocation: sourceLocation) {
      try resolve(predicate, of: Q.Person.self)
    }
    expectEqual(problem?.message.contains(text), true, sourceLocation: sourceLocation)
  }

  @Test func `A mistake survives in what is made of it`() {
    let text = "<Cannot apply key path to Map subscripts."
    let query = Query<Q.Person>()
    let mistake = query.dogsByName["a"].name
    for condition in [
      mistake == "x", mistake.starts(with: "a"), mistake.in(["a"]), (mistake == "x").count > 1,
    ] {
      expectTrue(condition.content.predicate.description.hasPrefix(text))
    }
    expectTrue((mistake == "x" && query.isDone).content.predicate.description.hasPrefix(text))
  }

  @Test func `Conditions have any length, and a limited depth`() {
    let query = Query<Q.Person>()
    let chain = (0..<300).reduce(query.age == -1) { $0 || query.age == $1 }
    guard case .or(let parts) = chain.content.predicate else {
      Issue.record("It should be one chain.")
      return
    }
    expectEqual(parts.count, 301)
    let deep = (0..<2_000).reduce(query.age == -1) {
      $1.isMultiple(of: 2) ? $0 || query.age == $1 : $0 && query.age == $1
    }
    expectTrue(deep.content.predicate.description.contains("more than 200 conditions inside"))
  }
}
