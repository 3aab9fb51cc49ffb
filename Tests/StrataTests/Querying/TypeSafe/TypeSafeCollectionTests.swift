import TestKit
import Testing

@testable import Strata

@Suite struct TypeSafeCollectionTests {
  @Test func `A path through a collection means any of its elements`() {
    expectTree("ANY dogs.age > 3") { $0.dogs.age > 3 }
    expectTree("NOT ANY dogs.name == 'Rex'") { !($0.dogs.name == "Rex") }
    expectTree("ANY dogs.isGood == TRUE") { $0.dogs.isGood }
    expectTree("ANY company.staff.dog.age == 3") { $0.company.staff.dog.age == 3 }
    expectTree("ANY dogs.toys.price < 9") { $0.dogs.toys.price < 9 }
    expectTree("ANY dogs.age BETWEEN {1, 2}") { $0.dogs.age.contains(1...2) }
    expectTree("ANY owners.name == 'Ada'", of: Q.Dog.self) { $0.owners.name == "Ada" }
    expectTree("ANY dogSet.name BEGINSWITH 'a' OR isDone == TRUE") {
      $0.dogSet.name.starts(with: "a") || $0.isDone
    }
  }

  @Test func `Elements are found by their values`() {
    expectTree("ANY tags == 'a'") { $0.tags.contains("a") }
    expectTree("ANY dogs == <Dog>") { $0.dogs.contains(Q.Dog()) }
    expectTree("ANY dogSet IN {<Dog>}") { $0.dogSet.containsAny(in: [Q.Dog()]) }
    expectTree("ANY scores IN {1, 2}") { $0.scores.containsAny(in: [1, 2]) }
    expectTree("ANY optionalScores == NULL") { $0.optionalScores == nil }
    expectTree("ANY scores != 3") { $0.scores != 3 }
    expectTree("ANY scores < 3") { $0.scores < 3 }
    expectTree("ANY scores <= 3") { $0.scores <= 3 }
    expectTree("ANY scores > 3") { $0.scores > 3 }
    expectTree("ANY scores >= 3") { $0.scores >= 3 }
    expectTree("ANY owners == <Person>", of: Q.Dog.self) { $0.owners.contains(Q.Person()) }
  }

  @Test func `All elements are in a range`() {
    expectTree("scores.@min >= 1 AND scores.@max <= 5") { $0.scores.contains(1...5) }
    expectTree("scores.@min >= 1 AND scores.@max < 5") { $0.scores.contains(1..<5) }
    expectTree("optionalScores.@min >= 1 AND optionalScores.@max <= 5") {
      $0.optionalScores.contains(1...5)
    }
    expectTree("points.@min >= 1 AND points.@max < 5") { $0.points.contains(1..<5) }
    expectTree("optionalPoints.@min >= 1 AND optionalPoints.@max <= 5") {
      $0.optionalPoints.contains(1...5)
    }
  }

  @Test func `Aggregates stand behind the first collection of a path`() {
    expectTree("scores.@min > 3") { $0.scores.min > 3 }
    expectTree("scores.@max > 3") { $0.scores.max > 3 }
    expectTree("scores.@sum > 3") { $0.scores.sum > 3 }
    expectTree("scores.@avg > 3") { $0.scores.avg > 3 }
    expectTree("dogs.@count == 0") { $0.dogs.count == 0 }
    expectTree("points.@count == 0") { $0.points.count == 0 }
    expectTree("owners.@count > 1", of: Q.Dog.self) { $0.owners.count > 1 }
    expectTree("dogs.@avg.age > 3") { $0.dogs.age.avg > 3 }
    expectTree("dogs.@min.weight == NULL") { $0.dogs.weight.min == nil }
    expectTree("company.staff.@max.age > 3") { $0.company.staff.age.max > 3 }
    expectTree("company.staff.@sum.dog.age > 3") { $0.company.staff.dog.age.sum > 3 }
    expectTree("points.@max > 3") { $0.points.values.max > 3 }
    expectTree("points.@avg > 3") { $0.points.avg > 3 }
  }

  @Test func `Maps are asked about their keys, their values, and the value of a key`() {
    expectTree("ANY points.@allKeys == 'a'") { $0.points.keys == "a" }
    expectTree("ANY points.@allKeys BEGINSWITH 'a'") { $0.points.keys.starts(with: "a") }
    expectTree("ANY points.@allValues > 3") { $0.points.values > 3 }
    expectTree("ANY points == 3") { $0.points.contains(3) }
    expectTree("ANY points IN {3}") { $0.points.containsAny(in: [3]) }
    expectTree("ANY points > 3") { $0.points > 3 }
    expectTree("points['a'] > 3") { $0.points["a"] > 3 }
    expectTree("optionalPoints['a'] == NULL") { $0.optionalPoints["a"] == nil }
    expectTree("dogsByName['a'] == NULL") { $0.dogsByName["a"] == nil }
    expectTree("ANY dogsByName.name == 'Rex'") { $0.dogsByName.name == "Rex" }
    expectTree("ANY dogsByName.@allValues.name == 'Rex'") { $0.dogsByName.values.name == "Rex" }
    expectTree("ANY dogs.points['a'] > 3") { $0.dogs.points["a"] > 3 }
  }

  @Test func `A condition that is counted is about one element`() {
    expectTree("SUBQUERY(dogs, $c1, $c1.age > 3).@count > 0") { ($0.dogs.age > 3).count > 0 }
    expectTree(
      "SUBQUERY(dogs, $c2, $c2.age > 3 AND $c2.name == 'Rex').@count >= 2"
    ) { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count >= 2 }
    expectTree("SUBQUERY(dogs, $c2, NOT $c2.isGood == TRUE).@count == 1") {
      (!$0.dogs.isGood).count == 1
    }
    expectTree("SUBQUERY(dogs, $c1, $c1.age > age).@count == 1") {
      ($0.dogs.age > $0.age).count == 1
    }
    expectTree("SUBQUERY(company.staff, $c1, $c1.age > 3).@count == 1") {
      ($0.company.staff.age > 3).count == 1
    }
    expectTree("SUBQUERY(dogs, $c1, ANY $c1.toys.price > 3).@count == 1") {
      ($0.dogs.toys.price > 3).count == 1
    }
    expectTree("SUBQUERY(dogs, $c1, $c1.toys.@count > 3).@count == 1") {
      ($0.dogs.toys.count > 3).count == 1
    }
    expectTree("SUBQUERY(dogs, $c1, $c1.points['a'] > 3).@count == 1") {
      ($0.dogs.points["a"] > 3).count == 1
    }
    expectTree("SUBQUERY(dogsByName, $c1, $c1.age > 3).@count == 1") {
      ($0.dogsByName.values.age > 3).count == 1
    }
    expectTree("SUBQUERY(owners, $c1, $c1.age > 3).@count == 1", of: Q.Dog.self) {
      ($0.owners.age > 3).count == 1
    }
  }

  @Test func `What all elements have in common is asked of the object`() {
    expectTree("SUBQUERY(dogs, $c2, $c2.age > 3 AND dogs.@avg.age > 4).@count == 1") {
      ($0.dogs.age > 3 && $0.dogs.age.avg > 4).count == 1
    }
    expectTree(
      "SUBQUERY(dogsByName, $c2, $c2.age > 3 AND ANY dogsByName.@allKeys == 'a' AND "
        + "dogsByName['a'] == NULL).@count == 1"
    ) {
      ($0.dogsByName.values.age > 3 && $0.dogsByName.keys == "a" && $0.dogsByName["a"] == nil)
        .count == 1
    }
  }

  @Test func `A counted condition may hold another one, which is about the object`() {
    expectTree(
      "SUBQUERY(dogs, $c3, $c3.age > 1 AND SUBQUERY(dogs, $c1, $c1.age > 3).@count > 1).@count > 0"
    ) {
      ($0.dogs.age > 1 && ($0.dogs.age > 3).count > 1).count > 0
    }
  }

  @Test func `Values that are stored as embedded objects are values in the tree`() {
    expectTree("place == <StoredPlace>") { $0.place == Q.Place(x: 1, y: 2) }
    expectTree("lastPlace != <StoredPlace>") { $0.lastPlace != Q.Place(x: 1) }
    expectTree("lastPlace == NULL") { $0.lastPlace == nil }
    expectTree("ANY places == <StoredPlace>") { $0.places.contains(Q.Place(x: 1)) }
    expectTree("place IN {<StoredPlace>, <StoredPlace>}") {
      $0.place.in([Q.Place(x: 1), Q.Place(x: 2)])
    }
  }

  @Test func `They are compared by their members, which may be no collections`() throws {
    #expect(throws: PredicateProblem.self) {
      try resolve((Query<Q.Walk>().path == Q.Path()).content.predicate, of: Q.Walk.self)
    }
    let condition = (Query<Q.Person>().place == Q.Place(x: 1, y: 2)).content.predicate
    let members = QueryPredicate(
      format: "NOT place == nil AND place.x == 1 AND place.y == 2", arguments: [])
    try expectEqual(resolve(condition, of: Q.Person.self), resolve(members, of: Q.Person.self))
  }
}
