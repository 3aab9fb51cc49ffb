import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Every query of docs/querying.md: the guide has the code of this file, and the statements and
/// answers that these tests compute.
///
/// With `STRATA_SHOW_GUIDE=1` the test prints the questions as the document must have them.
@Suite struct QueryingGuideTests {
  @Test func `The guide says what the queries do`() throws {
    try TestFile().open(Guide.types) { realm in
      try realm.write { Guide.fill(realm) }
      let guide = try QueryingGuide()
      let people = realm.objects(Guide.Person.self)
      let dogs = realm.objects(Guide.Dog.self)
      askOfValues(people, guide)
      askOfTexts(people, guide)
      askOfLinks(people, guide)
      askOfCollections(people, dogs, guide)
      askOfOrders(people, guide)
      if ProcessInfo.processInfo.environment["STRATA_SHOW_GUIDE"] != nil {
        print(guide.questions.joined(separator: "\n"))
      }
      expectTrue(guide.questions.count >= 20)
      for question in guide.questions {
        let isThere = guide.document.contains(question)
        expectTrue(isThere, "docs/querying.md lacks:\n\(question)")
      }
    }
  }

  private func askOfValues(_ people: Results<Guide.Person>, _ guide: QueryingGuide) {
    guide.ask(
      "Who is called Ada?",
      people.where { $0.name == "Ada" },
      people.filter("name == %@", "Ada"))
    guide.ask(
      "Who is of working age?",
      people.where { $0.age.contains(18..<65) },
      people.filter("age >= 18 AND age < 65"))
    guide.ask(
      "Who is one of these?",
      people.where { $0.name.in(["Ada", "Bo", "Zoe"]) },
      people.filter("name IN %@", ["Ada", "Bo", "Zoe"]))
    guide.ask(
      "Who has no e-mail address?",
      people.where { $0.email == nil },
      people.filter("email == nil"))
    guide.ask(
      "Who has another address than this, or none?",
      people.where { $0.email != "ada@example.org" },
      people.filter("email != 'ada@example.org'"))
    guide.ask(
      "Whose note is the number five, whatever its type?",
      people.where { $0.note == .int(5) },
      people.filter("note == 5"))
  }

  private func askOfTexts(_ people: Results<Guide.Person>, _ guide: QueryingGuide) {
    guide.ask(
      "Whose name begins with A?",
      people.where { $0.name.starts(with: "A") },
      people.filter("name BEGINSWITH 'A'"))
    guide.ask(
      "Whose name contains this, in upper or lower case, with or without accents?",
      people.where { $0.name.contains("ANG", options: [.caseInsensitive, .diacriticInsensitive]) },
      people.filter("name CONTAINS[cd] 'ANG'"))
    guide.ask(
      "Whose name is like this pattern?",
      people.where { $0.name.like("?d*") },
      people.filter("name LIKE '?d*'"))
  }

  private func askOfLinks(_ people: Results<Guide.Person>, _ guide: QueryingGuide) {
    guide.ask(
      "Who has a dog called Rex as the first?",
      people.where { $0.dog.name == "Rex" },
      people.filter("dog.name == 'Rex'"))
    guide.ask(
      "Whose first dog has another name, or who has none?",
      people.where { $0.dog.name != "Rex" },
      people.filter("dog.name != 'Rex'"))
    guide.ask(
      "Who lives in Oslo, or has this dog?",
      people.where { $0.city == "Oslo" || $0.dog.name == "Rex" },
      people.filter("city == 'Oslo' OR dog.name == 'Rex'"))
  }

  private func askOfCollections(
    _ people: Results<Guide.Person>, _ dogs: Results<Guide.Dog>, _ guide: QueryingGuide
  ) {
    guide.ask(
      "Who has a dog called Max in the list?",
      people.where { $0.dogs.name == "Max" },
      people.filter("ANY dogs.name == 'Max'"))
    guide.ask(
      "Who has a dog older than three?",
      people.where { $0.dogs.age > 3 },
      people.filter("ANY dogs.age > 3"))
    guide.ask(
      "Who has no dog older than three?",
      people.where { !($0.dogs.age > 3) },
      people.filter("NONE dogs.age > 3"))
    guide.ask(
      "Whose dogs are all older than three?",
      people.where { !($0.dogs.age <= 3) },
      people.filter("ALL dogs.age > 3"))
    guide.ask(
      "Who has a dog that is both called Rex and older than three?",
      people.where { ($0.dogs.name == "Rex" && $0.dogs.age > 3).count > 0 },
      people.filter("SUBQUERY(dogs, $dog, $dog.name == 'Rex' AND $dog.age > 3).@count > 0"))
    guide.ask(
      "Who has more than one dog?",
      people.where { $0.dogs.count > 1 },
      people.filter("dogs.@count > 1"))
    guide.ask(
      "Whose dogs are older than three on average?",
      people.where { $0.dogs.age.avg > 3 },
      people.filter("dogs.@avg.age > 3"))
    guide.ask(
      "Who has this tag?",
      people.where { $0.tags.contains("chess") },
      people.filter("ANY tags == 'chess'"))
    guide.ask(
      "Whose score in chess is above 1500?",
      people.where { $0.scores["chess"] > 1500 },
      people.filter("scores['chess'] > 1500"))
    guide.ask(
      "Which dogs belong to a person in Oslo?",
      dogs.where { $0.owners.city == "Oslo" },
      dogs.filter("ANY owners.city == 'Oslo'"))
  }

  private func askOfOrders(_ people: Results<Guide.Person>, _ guide: QueryingGuide) {
    guide.ask(
      "Who are the two oldest?",
      people.sorted(by: \.age, ascending: false).limit(2),
      people.sorted(byKeyPath: "age", ascending: false).limit(2))
    guide.ask(
      "Who is the youngest of each city?",
      people.sorted(by: \.age).distinct(by: [\.city]),
      people.sorted(byKeyPath: "age").distinct(by: ["city"]))
    guide.ask(
      "In the order of their dogs?",
      people.sorted(by: [SortDescriptor(keyPath: \Guide.Person.dog?.name)]),
      people.sorted(byKeyPath: "dog.name"))
  }
}
