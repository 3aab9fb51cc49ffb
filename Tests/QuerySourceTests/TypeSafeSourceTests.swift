import Foundation
import Strata
import Testing

@Suite struct TypeSafeSourceTests {
  let source: SourceRealm
  var realm: Realm { source.realm }

  init() throws { source = try SourceRealm() }

  func find(_ condition: (Query<Person>) -> Query<Bool>) -> String {
    names(realm.objects(Person.self).where(condition))
  }

  @Test func `Comparisons`() {
    let people = realm.objects(Person.self)
    #expect(names(people.where { ($0.age > 3 || $0.name == "x") && !$0.isDone }) == "Ada")
    #expect(find { $0.age == 3 } == "Bob")
    #expect(find { $0.age != 3 } == "Ada Art")
    #expect(find { $0.age >= 3 } == "Ada Bob")
    #expect(find { $0.age < 3 } == "Art")
    #expect(find { $0.age <= 3 } == "Bob Art")
    #expect(find { $0.nick == nil } == "Ada Art")
    #expect(find { $0.nick != nil } == "Bob")
    #expect(find { $0.height > 1.5 } == "Ada")
    #expect(find { $0.born > Date(timeIntervalSince1970: 999) && $0.id == 1 } == "Ada")
    #expect(find { $0.photo == Data([1, 2, 3]) } == "Ada")
    #expect(find { $0.price == 2.5 } == "Ada")
    #expect(find { $0.badge == UUID() } == "")
    #expect(find { $0.value == .string("Countess") } == "Ada")
    #expect(find { $0.age > $0.id } == "Ada Bob")
    #expect(find { $0.age.in([1, 3]) } == "Bob Art")
    #expect(find { $0.age.contains(1...3) } == "Bob Art")
    #expect(find { $0.age.contains(1..<3) } == "Art")
    #expect(find { $0.height.contains(1.0...2.0) } == "Ada")
  }

  @Test func `Conditions`() {
    #expect(find { $0.isDone } == "Bob")
    #expect(find { !$0.isDone } == "Ada Art")
    #expect(find { $0.isDone == true } == "Bob")
    #expect(find { $0.age == 3 && $0.isDone } == "Bob")
    #expect(find { $0.age == 3 || $0.name == "Ada" } == "Ada Bob")
    #expect(find { !($0.age == 3 || $0.name == "Ada") } == "Art")
  }

  @Test func `Texts and data`() {
    #expect(find { $0.name.starts(with: "A") } == "Ada Art")
    #expect(find { $0.name.ends(with: "t") } == "Art")
    #expect(find { $0.name.contains("d") } == "Ada")
    #expect(find { $0.name.contains("D", options: .caseInsensitive) } == "Ada")
    #expect(
      find { $0.name.contains("Á", options: [.caseInsensitive, .diacriticInsensitive]) }
        == "Ada Art")
    #expect(find { $0.name.like("A?a") } == "Ada")
    #expect(find { $0.name.like("a*", caseInsensitive: true) } == "Ada Art")
    #expect(find { $0.name.equals("ada", options: .caseInsensitive) } == "Ada")
    #expect(find { $0.name.notEquals("ada", options: .caseInsensitive) } == "Bob Art")
    #expect(find { $0.nick.starts(with: $0.name) } == "Bob")
    #expect(find { $0.photo.contains(Data([2])) } == "Ada")
  }

  @Test func `Links and embedded objects`() {
    let rex = realm.objects(Dog.self).first
    #expect(find { $0.dog.name == "Rex" } == "Ada")
    #expect(find { $0.dog == nil } == "Bob")
    #expect(find { $0.dog == rex } == "Ada")
    #expect(find { $0.dog != rex } == "Bob Art")
    #expect(find { $0.friend.dog.age > 3 } == "Bob")
    #expect(find { $0.dog.isGood } == "Ada")
    #expect(find { $0.address.city == "London" } == "Ada")
    #expect(find { $0.address == nil } == "Bob Art")
  }

  @Test func `Collections`() throws {
    let rex = try #require(realm.objects(Dog.self).first)
    #expect(find { $0.dogs.name == "Rex" } == "Ada")
    #expect(find { $0.dogs.contains(rex) } == "Ada")
    #expect(find { $0.dogs.containsAny(in: [rex]) } == "Ada")
    #expect(find { $0.tags.contains("math") } == "Ada")
    #expect(find { $0.scores == 3 } == "Ada")
    #expect(find { $0.scores > 2 } == "Ada")
    #expect(find { $0.scores.contains(1...3) } == "Ada")
    #expect(find { $0.scores.containsAny(in: [3, 4]) } == "Ada")
    #expect(find { $0.dogs.count == 2 } == "Ada")
    #expect(find { $0.scores.min == 1 && $0.scores.max == 3 } == "Ada")
    #expect(find { $0.scores.sum == 6 && $0.scores.avg == 2 } == "Ada")
    #expect(find { $0.dogs.age.min == 2 && $0.dogs.age.max == 5 } == "Ada")
    #expect(find { $0.dogs.age.sum == 7 && $0.dogs.weight.avg > 20 } == "Ada")
    #expect(find { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0 } == "Ada")
    #expect(find { ($0.dogs.age > 3 && $0.dogs.name == "Fifi").count > 0 } == "")
    #expect(realm.objects(Dog.self).where { $0.owners.name == "Bob" }.count == 1)
    #expect(realm.objects(Dog.self).where { $0.owners.count > 1 }.count == 1)
    #expect(source.people[0].dogs.where { $0.age > 3 }.count == 1)
    #expect(source.people[0].dogs.where { $0.age > 3 }.first?.name == "Rex")
  }

  @Test func `Lists and dictionaries of any value`() {
    #expect(find { $0.value["sizes"][1] > 11 } == "Art")
    #expect(find { $0.value["sizes"][0] == 10 && $0.value["sizes"][2] == nil } == "Art")
    #expect(find { $0.value["sizes"].any == 12 } == "Art")
    #expect(find { $0.value["sizes"][.any] == 13 } == "")
  }

  @Test func `Maps`() {
    #expect(find { $0.points["chess"] > 2000 } == "Ada")
    #expect(find { $0.points.keys == "chess" } == "Ada")
    #expect(find { $0.points.keys.starts(with: "c") } == "Ada")
    #expect(find { $0.points.values > 2000 } == "Ada")
    #expect(find { $0.points.contains(2100) } == "Ada")
    #expect(find { $0.points.max == 2100 } == "Ada")
    #expect(find { $0.points.count == 1 } == "Ada")
    #expect(find { $0.dogsByName.values.name == "Rex" } == "Ada")
  }

  @Test func `Enums and custom types`() {
    #expect(find { $0.kind == .dog } == "Ada")
    #expect(find { $0.kind != .dog } == "Bob Art")
    #expect(find { $0.otherKind == nil } == "Ada Bob Art")
    #expect(find { $0.kind.in([.dog]) } == "Ada")
    #expect(find { $0.kind.rawValue.starts(with: "d") } == "Ada")
    #expect(find { $0.kinds.contains(.dog) } == "Ada")
    #expect(find { $0.kinds.rawValue == "dog" } == "Ada")
    #expect(find { $0.distance == Distance(meters: 12) } == "Ada")
    #expect(find { $0.distance.persistableValue > 10 } == "Ada")
    #expect(find { $0.position == Position(x: 1, y: 2) } == "Ada")
  }
}
