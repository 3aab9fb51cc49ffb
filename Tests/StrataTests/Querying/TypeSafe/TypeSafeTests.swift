import Foundation
import StrataQuery
import TestKit
import Testing

@testable import Strata

@Suite struct TypeSafeTests {
  @Test func `Properties are compared with values`() {
    expectTree("age == 3") { $0.age == 3 }
    expectTree("age != 3") { $0.age != 3 }
    expectTree("age < 3") { $0.age < 3 }
    expectTree("age <= 3") { $0.age <= 3 }
    expectTree("age > 3") { $0.age > 3 }
    expectTree("age >= 3") { $0.age >= 3 }
    expectTree("size == NULL") { $0.size == nil }
    expectTree("size > 3") { $0.size > 3 }
    expectTree("name == 'Ada'") { $0.name == "Ada" }
    expectTree("nick != NULL") { $0.nick != nil }
    expectTree("score > 1.5") { $0.score > 1.5 }
    expectTree("photo == <2 bytes>") { $0.photo == Data([1, 2]) }
    expectTree("price < 2.5") { $0.price < 2.5 }
    expectTree("born < <date 1970-01-01 00:00:01.000000000>") {
      $0.born < Date(timeIntervalSince1970: 1)
    }
    expectTree("any == 'x'") { $0.any == "x" }
    expectTree("any > 3") { $0.any > .int(3) }
    expectTree("any == NULL") { $0.any == .none }
  }

  @Test func `Values without a literal are those of an argument`() {
    let query = Query<Q.Person>()
    let conditions: [(Query<Bool>, String, Any)] = [
      (query.photo == Data([1, 2]), "photo == %@", Data([1, 2])),
      (query.photo.starts(with: Data([7])), "photo BEGINSWITH %@", Data([7])),
      (query.price < 2.5, "price < %@", 2.5 as Decimal128),
    ]
    for (condition, format, value) in conditions {
      expectEqual(condition.content.predicate, QueryPredicate(format: format, arguments: [value]))
    }
  }

  @Test func `Properties are compared with each other`() {
    expectTree("age > id") { $0.age > $0.id }
    expectTree("age != id") { $0.age != $0.id }
    expectTree("name == dog.name") { $0.name == $0.dog.name }
    expectTree("name BEGINSWITH nick") { $0.name.starts(with: $0.nick) }
    expectTree("ANY dogs.age < age") { $0.dogs.age < $0.age }
    expectTree("ANY age <= dogs.age") { $0.age <= $0.dogs.age }
  }

  @Test func `Values are in ranges and sequences`() {
    expectTree("age IN {1, 2}") { $0.age.in([1, 2]) }
    expectTree("age IN {3, 4, 5}") { $0.age.in(3...5) }
    expectTree("size IN {1, NULL}") { $0.size.in([1, nil]) }
    expectTree("age IN {}") { $0.age.in([]) }
    expectTree("age BETWEEN {1, 5}") { $0.age.contains(1...5) }
    expectTree("age >= 1 AND age < 5") { $0.age.contains(1..<5) }
    expectTree("size BETWEEN {1, 5}") { $0.size.contains(1...5) }
    expectTree("size >= 1 AND size < 5") { $0.size.contains(1..<5) }
    expectTree("name >= 'a' AND name <= 'c'") { $0.name.contains("a"..."c") }
    expectTree("kind >= 'cat' AND kind <= 'dog'") { $0.kind.contains(Q.Kind.cat...Q.Kind.dog) }
    expectTree("optionalKind >= 'cat' AND optionalKind < 'dog'") {
      $0.optionalKind.contains(Q.Kind.cat..<Q.Kind.dog)
    }
    expectTree("optionalKind >= 'cat' AND optionalKind <= 'dog'") {
      $0.optionalKind.contains(Q.Kind.cat...Q.Kind.dog)
    }
    expectTree("kind IN {'cat', 'dog'}") { $0.kind.in(Q.Kind.allCases) }
  }

  @Test func `Texts and data are searched`() {
    expectTree("name CONTAINS 'd'") { $0.name.contains("d") }
    expectTree("nick CONTAINS 'd'") { $0.nick.contains("d") }
    expectTree("name BEGINSWITH[c] 'a'") { $0.name.starts(with: "a", options: .caseInsensitive) }
    expectTree("name ENDSWITH[cd] 'a'") {
      $0.name.ends(with: "a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    expectTree("name LIKE 'A*'") { $0.name.like("A*") }
    expectTree("name LIKE[c] nick") { $0.name.like($0.nick, caseInsensitive: true) }
    expectTree("name ==[d] 'a'") { $0.name.equals("a", options: .diacriticInsensitive) }
    expectTree("name !=[c] 'a'") { $0.name.notEquals("a", options: .caseInsensitive) }
    expectTree("name == nick") { $0.name.equals($0.nick) }
    expectTree("name != nick") { $0.name.notEquals($0.nick) }
    expectTree("name CONTAINS nick") { $0.name.contains($0.nick) }
    expectTree("name ENDSWITH nick") { $0.name.ends(with: $0.nick) }
    expectTree("photo BEGINSWITH <1 bytes>") { $0.photo.starts(with: Data([7])) }
  }

  @Test func `Conditions are combined`() {
    expectTree("isDone == TRUE") { $0.isDone }
    expectTree("NOT isDone == TRUE") { !$0.isDone }
    expectTree("isDone == FALSE") { $0.isDone == false }
    expectTree("(age > 3 OR name == 'x') AND NOT isDone == TRUE") {
      ($0.age > 3 || $0.name == "x") && !$0.isDone
    }
    expectTree("age == 1 AND age == 2 AND age == 3 AND age == 4") {
      ($0.age == 1 && $0.age == 2) && ($0.age == 3 && $0.age == 4)
    }
    expectTree("age == 1") { !(!($0.age == 1)) }
    expectTree("NOT (age == 1 OR dog.isGood == TRUE)") { !($0.age == 1 || $0.dog.isGood) }
  }

  @Test func `Links are followed`() {
    expectTree("dog.name == 'Rex'") { $0.dog.name == "Rex" }
    expectTree("company.owner.dog.age > 3") { $0.company.owner.dog.age > 3 }
    expectTree("dog == NULL") { $0.dog == nil }
    expectTree("dog == <Dog>") { $0.dog == Q.Dog() }
    expectTree("address.city != 'Rome'") { $0.address.city != "Rome" }
    expectTree("dog IN {<Dog>}") { $0.dog.in([Q.Dog()]) }
  }

  @Test func `Enums and custom types compare as themselves and as what is stored`() {
    expectTree("kind == 'dog'") { $0.kind == .dog }
    expectTree("optionalKind == NULL") { $0.optionalKind == nil }
    expectTree("optionalKind != 'cat'") { $0.optionalKind != .cat }
    expectTree("kind BEGINSWITH 'd'") { $0.kind.rawValue.starts(with: "d") }
    expectTree("optionalKind LIKE 'd*'") { $0.optionalKind.rawValue.like("d*") }
    expectTree("kind == 'x'") { $0.kind.persistableValue == "x" }
    expectTree("length == 3.0") { $0.length == Q.Distance(meters: 3) }
    expectTree("length > 3.0") { $0.length > Q.Distance(meters: 3) }
    expectTree("length > 3.0") { $0.length.persistableValue > 3 }
    expectTree("detour == NULL") { $0.detour.persistableValue == nil }
    expectTree("place.x > 3") { $0.place.persistableValue.x > 3 }
    expectTree("lastPlace.x > 3") { $0.lastPlace.persistableValue.x > 3 }
    expectTree("ANY places.x > 3") { $0.places.persistableValue.x > 3 }
    expectTree("ANY kinds == 'dog'") { $0.kinds.contains(.dog) }
    expectTree("ANY kinds IN {'x'}") { $0.kinds.rawValue.containsAny(in: ["x"]) }
    expectTree("ANY legs > 3.0") { $0.legs.persistableValue > 3 }
    expectTree("ANY kindsByName == 'x'") { $0.kindsByName.rawValue == "x" }
  }

  @Test func `An element or a value of a collection is asked about by itself`() {
    expectTree("SELF > 3", of: Int.self) { $0 > 3 }
    expectTree("SELF BEGINSWITH 'a'", of: String.self) { $0.starts(with: "a") }
    expectTree("SELF == TRUE", of: Bool.self) { $0 }
    expectTree("SELF == <Dog>", of: Q.Dog.self) { $0 == Q.Dog() }
    expectTree("name == 'Rex'", of: Q.Dog?.self) { $0.name == "Rex" }
  }
}
