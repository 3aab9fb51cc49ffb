import Foundation
import Strata
import Testing

@Suite struct FormatSourceTests {
  let source: SourceRealm
  var people: Results<Person> { source.people }

  init() throws { source = try SourceRealm() }

  @Test func `Format strings`() throws {
    let ada = try #require(people.first)
    #expect(names(people.filter("age > 3")) == "Ada")
    #expect(names(people.filter("age > %@", 3)) == "Ada")
    #expect(names(people.filter("age > %d AND name = %@", 3, "Ada")) == "Ada")
    #expect(names(people.filter("name BEGINSWITH %@", "A")) == "Ada Art")
    #expect(names(people.filter("name BEGINSWITH[c] 'a'")) == "Ada Art")
    #expect(names(people.filter("name LIKE 'A?a'")) == "Ada")
    #expect(names(people.filter("%K == %@", "name", "Bob")) == "Bob")
    #expect(names(people.filter("age BETWEEN {1, 3}")) == "Bob Art")
    #expect(names(people.filter("age BETWEEN %@", [1, 3])) == "Bob Art")
    #expect(names(people.filter("name IN %@", ["Ada", "Bob"])) == "Ada Bob")
    #expect(names(people.filter("nick == nil")) == "Ada Art")
    #expect(names(people.filter("nick == %@", "Bobby" as Any)) == "Bob")
    #expect(names(people.filter("isDone == true")) == "Bob")
    #expect(names(people.filter("NOT (isDone == YES OR age < 2)")) == "Ada")
    #expect(names(people.filter("dog.name == 'Rex'")) == "Ada")
    #expect(names(people.filter("ANY dogs.age > 3")) == "Ada")
    #expect(names(people.filter("NONE dogs.age > 3")) == "Bob Art")
    #expect(names(people.filter("dogs.@count > 1")) == "Ada")
    #expect(names(people.filter("dogs.@max.age > 3")) == "Ada")
    #expect(names(people.filter("scores.@sum == 6")) == "Ada")
    #expect(
      names(people.filter("SUBQUERY(dogs, $dog, $dog.age > 3 AND $dog.name = 'Rex').@count > 0"))
        == "Ada")
    #expect(names(people.filter("points['chess'] > 2000")) == "Ada")
    #expect(names(people.filter("ANY points.@allKeys == 'chess'")) == "Ada")
    #expect(names(people.filter("friend == %@", ada)) == "Bob")
    #expect(names(people.filter("kind == %@", Kind.dog.rawValue)) == "Ada")
    #expect(names(people.filter("TRUEPREDICATE")) == "Ada Bob Art")
    #expect(people.index(matching: "name == %@", "Bob") == 1)
    #expect(ada.dogs.filter("age > 3").count == 1)
  }

  @Test func `Predicates`() {
    #expect(names(people.filter(NSPredicate(format: "age > %@", 3))) == "Ada")
    #expect(names(people.filter(NSPredicate(format: "age > 3 AND name = %@", "Ada"))) == "Ada")
    #expect(names(people.filter(NSPredicate(format: "name = %@", argumentArray: ["Bob"]))) == "Bob")
    let young = NSPredicate(format: "age < 10")
    let named = NSPredicate(format: "name BEGINSWITH 'A'")
    #expect(
      names(people.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [young, named])))
        == "Art")
    #expect(
      names(people.filter(NSCompoundPredicate(orPredicateWithSubpredicates: [young, named])))
        == "Ada Bob Art")
    #expect(names(people.filter(NSCompoundPredicate(notPredicateWithSubpredicate: young))) == "Ada")
    #expect(people.index(matching: NSPredicate(format: "name = 'Bob'")) == 1)
  }
}
