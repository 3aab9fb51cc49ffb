import Foundation
import StrataQuery
import TestKit
import Testing

@testable import Strata

/// Expects that one of Foundation's predicates means a condition.
private func expectTree(
  _ text: String, _ predicate: Predicate<Q.Person>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectEqual(QueryPredicate(predicate).description, text, sourceLocation: sourceLocation)
}

@Suite struct FoundationPredicateTests {
  @Test func `Properties are compared with values`() {
    let (three, ada, none) = (3, "Ada", String?.none)
    expectTree("age == 3", #Predicate { $0.age == 3 })
    expectTree("age != 3", #Predicate { $0.age != three })
    expectTree("age < 3", #Predicate { $0.age < 3 })
    expectTree("age <= 3", #Predicate { $0.age <= 3 })
    expectTree("age > 3", #Predicate { $0.age > 3 })
    expectTree("age >= 3", #Predicate { $0.age >= 3 })
    expectTree("3 < age", #Predicate { 3 < $0.age })
    expectTree("score > 1.5", #Predicate { $0.score > 1.5 })
    expectTree("name == 'Ada'", #Predicate { $0.name == ada })
    expectTree("nick == NULL", #Predicate { $0.nick == nil })
    expectTree("nick == NULL", #Predicate { $0.nick == none })
    expectTree("nick != 'Ada'", #Predicate { $0.nick != ada })
    expectTree("age == id", #Predicate { $0.age == $0.id })
    expectTree("dog != NULL", #Predicate { $0.dog != nil })
    expectTree("size > 3", #Predicate { $0.size! > 3 })
  }

  @Test func `Conditions are combined`() {
    expectTree(
      "age > 3 AND NOT name == 'Ada'", #Predicate { $0.age > 3 && !($0.name == "Ada") })
    expectTree(
      "age > 3 OR (age < 1 AND isDone == TRUE)",
      #Predicate { $0.age > 3 || ($0.age < 1 && $0.isDone) })
    expectTree("NOT isDone == TRUE", #Predicate { !$0.isDone })
    expectTree("TRUEPREDICATE", #Predicate { _ in true })
    expectTree(
      "(isDone == TRUE AND age > 3) OR (NOT isDone == TRUE AND age < 3)",
      #Predicate { $0.isDone ? $0.age > 3 : $0.age < 3 })
    expectTree("NOT age > 3", #Predicate { ($0.age > 3) == false })
    expectTree("age > 3", #Predicate { true == ($0.age > 3) })
  }

  @Test func `Links are followed`() {
    expectTree("dog.name == 'Rex'", #Predicate { $0.dog?.name == "Rex" })
    expectTree("dog.age > 3", #Predicate { $0.dog!.age > 3 })
    expectTree("company.owner.nick == NULL", #Predicate { $0.company?.owner?.nick == nil })
    expectTree("address.city == 'Rome'", #Predicate { $0.address?.city == "Rome" })
    expectTree(
      "NOT dog == NULL AND dog.age > 3",
      #Predicate { if let dog = $0.dog { dog.age > 3 } else { false } })
    expectTree(
      "dog == NULL OR dog.age > 3",
      #Predicate { if let dog = $0.dog { dog.age > 3 } else { true } })
    expectTree(
      "(NOT dog == NULL AND dog.isGood == TRUE) OR (dog == NULL AND age > 3)",
      #Predicate { $0.dog.flatMap { $0.isGood == true } ?? ($0.age > 3) })
  }

  @Test func `A value takes the place of nil`() {
    expectTree(
      "(NOT size == NULL AND size > 3) OR (size == NULL AND FALSEPREDICATE)",
      #Predicate { ($0.size ?? 0) > 3 })
    expectTree(
      "(NOT size == NULL AND size < 3) OR (size == NULL AND TRUEPREDICATE)",
      #Predicate { 3 > ($0.size ?? 0) })
    expectTree(
      "(NOT nick == NULL AND nick == 'x') OR (nick == NULL AND name == 'x')",
      #Predicate { ($0.nick ?? $0.name) == "x" })
    expectTree(
      "(NOT dog.isGood == NULL AND dog.isGood == TRUE) OR (dog.isGood == NULL AND TRUEPREDICATE)",
      #Predicate { $0.dog?.isGood ?? true })
  }

  @Test func `Texts are searched`() {
    expectTree("name CONTAINS 'd'", #Predicate { $0.name.contains("d") })
    expectTree("name BEGINSWITH 'A'", #Predicate { $0.name.starts(with: "A") })
    expectTree("name == ''", #Predicate { $0.name.isEmpty })
    expectTree("dog.name CONTAINS name", #Predicate { $0.dog!.name.contains($0.name) })
  }

  @Test func `Values are looked for in lists and ranges`() {
    let (ages, range, from) = ([1, 2], 1..<5, 3...)
    expectTree("age IN {1, 2}", #Predicate { ages.contains($0.age) })
    expectTree("age IN {1, 2}", #Predicate { [1, 2].contains($0.age) })
    expectTree("age >= 1 AND age < 5", #Predicate { (1..<5).contains($0.age) })
    expectTree("age >= 1 AND age <= 5", #Predicate { (1...5).contains($0.age) })
    expectTree("age >= 1 AND age < 5", #Predicate { range.contains($0.age) })
    expectTree("age >= 3", #Predicate { from.contains($0.age) })
    let endless = 0..<Int.max
    expectTree(
      "age >= 0 AND age < 9223372036854775807", #Predicate { endless.contains($0.age) })
  }

  @Test func `Collections of objects have conditions on one element`() {
    expectTree(
      "SUBQUERY(dogs, $element1, $element1.age > 3 AND $element1.name == 'Rex').@count > 0",
      #Predicate { $0.dogs.contains { $0.age > 3 && $0.name == "Rex" } })
    expectTree(
      "SUBQUERY(dogs, $element1, NOT $element1.age > 3).@count == 0",
      #Predicate { $0.dogs.allSatisfy { $0.age > 3 } })
    expectTree(
      "SUBQUERY(dogs, $element1, $element1.age > 3).@count >= 2",
      #Predicate { $0.dogs.filter { $0.age > 3 }.count >= 2 })
    expectTree(
      "SUBQUERY(dogs, $element1, $element1.name == name).@count > 0",
      #Predicate { person in person.dogs.contains { $0.name == person.name } })
    expectTree(
      "SUBQUERY(dogs, $element1, SUBQUERY($element1.toys, $element2, $element2.price > age).@count "
        + "> 0).@count > 0",
      #Predicate { person in
        person.dogs.contains { dog in dog.toys.contains { $0.price > person.age } }
      })
    expectTree(
      "SUBQUERY(dogSet, $element1, $element1.isGood == TRUE).@count > 0",
      #Predicate { $0.dogSet.contains { $0.isGood } })
    expectTree(
      "SUBQUERY(company.staff, $element1, $element1.age > 3).@count > 0",
      #Predicate { $0.company!.staff.contains { $0.age > 3 } })
  }

  @Test func `Collections are counted`() {
    expectTree("dogs.@count > 3", #Predicate { $0.dogs.count > 3 })
    expectTree("dogs.@count == 0", #Predicate { $0.dogs.isEmpty })
    expectTree("NOT tags.@count == 0", #Predicate { !$0.tags.isEmpty })
    expectTree("tags.@count == 2", #Predicate { $0.tags.count == 2 })
    expectTree("dog.owners.@count == 2", #Predicate { $0.dog!.owners.count == 2 })
    expectTree("dog.owners.@count == 0", #Predicate { $0.dog!.owners.isEmpty })
    expectTree("points.@count == 0", #Predicate { $0.points.isEmpty })
    expectTree("points.@count < 2", #Predicate { $0.points.count < 2 })
  }

  @Test func `Collections of values have conditions on each value`() {
    expectTree("ANY tags == 'a'", #Predicate { $0.tags.contains("a") })
    expectTree("ANY tags == name", #Predicate { $0.tags.contains($0.name) })
    expectTree("ANY scores > 3", #Predicate { $0.scores.contains { $0 > 3 } })
    expectTree("ALL scores > 3", #Predicate { $0.scores.allSatisfy { $0 > 3 } })
    expectTree("scores.@max > 3", #Predicate { $0.scores.max()! > 3 })
    expectTree("scores.@min == NULL", #Predicate { $0.scores.min() == nil })
  }

  // MARK: - Mistakes

  private static let instead =
    "Compute the value before the predicate, or use 'filter { … }', which reads all objects."

  @Test func `What a file can't compute is named`() {
    expectTree(
      "<'Arithmetic' in a '#Predicate' can't become a query. \(Self.instead)>",
      #Predicate { $0.age + 1 > 3 })
    expectTree(
      "<'IntRemainder' in a '#Predicate' can't become a query. \(Self.instead)>",
      #Predicate { $0.age > 3 && $0.age % 2 == 0 })
    expectTree(
      "<'UnaryMinus' in a '#Predicate' can't become a query. \(Self.instead)>",
      #Predicate { -$0.age > 3 })
    expectTree(
      "<'CollectionIndexSubscript' in a '#Predicate' can't become a query. \(Self.instead)>",
      #Predicate { $0.scores[0] > 3 })
    expectTree(
      "<A key path of 'String' with values of type 'Int' can't become a query. Query "
        + "'@Persisted' properties, and 'count' and 'isEmpty' of collections.>",
      #Predicate { $0.name.count > 3 })
  }

  @Test func `A computed property is named`() {
    let computed =
      "is no '@Persisted' property. Query the properties that it is computed from."
    expectTree(
      "<A key path of 'Person' with values of type 'Int' \(computed)>", #Predicate { $0.twice > 3 })
    expectTree(
      "<A key path of 'Person' with values of type 'String' \(computed)>",
      #Predicate { $0.nickOrEmpty == "x" })
    expectTree(
      "<A key path of 'Person' with values of type 'Int' \(computed)>",
      #Predicate { $0.dogs.contains { $0.age > 1 } && $0.plain == 3 })
  }

  @Test func `Several conditions on the values of a collection are a mistake`() {
    expectTree(
      "<'contains { … }' and 'allSatisfy { … }' of a collection of values take one comparison of the "
        + "element in a '#Predicate'. Use one of them for each comparison.>",
      #Predicate { $0.scores.contains { $0 > 3 && $0 < 5 } })
    expectTree(
      "<'filter { … }' in a '#Predicate' is for collections of objects. Use 'contains { … }' or "
        + "'allSatisfy { … }' for values.>",
      #Predicate { $0.scores.filter { $0 > 3 }.count > 1 })
  }

  @Test func `Values of other types are compared too`() {
    expectEqual(QueryPredicate(#Predicate<Int> { $0 > 3 }).description, "SELF > 3")
    expectEqual(
      QueryPredicate(#Predicate<String> { $0.contains("a") }).description, "SELF CONTAINS 'a'")
  }
}
