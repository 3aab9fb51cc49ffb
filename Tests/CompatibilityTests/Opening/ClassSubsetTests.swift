import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var dog: Dog?
    @Persisted var cats: List<Cat>
    @Persisted var home: Address?
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
  }
  class Cat: Object {
    @Persisted var name = ""
    @Persisted var friends: MutableSet<Cat>
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var pets: Map<String, Cat?>
  }
}

private enum Keyed {
  class Person: Object {
    @Persisted(primaryKey: true) var name = 0.5
    @Persisted var cat: V0.Cat?
  }
}

/// `objectTypes` without classes that others link to.
@Suite("Lists of classes and links") struct ClassSubsetTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  @Test func `Each link to a class that is not listed is named`() throws {
    let error = try file.failure([V0.Person.self, V0.Address.self], to: 0)
    expectEqual(error.code, .fail)
    expectEqual(
      error.message,
      """
      Invalid class subset list:
      - 'Address.pets' links to class 'Cat', which is missing from the list of classes managed by \
      the Realm
      - 'Person.dog' links to class 'Dog', which is missing from the list of classes managed by \
      the Realm
      - 'Person.cats' links to class 'Cat', which is missing from the list of classes managed by \
      the Realm
      """)
  }

  @Test func `An embedded class must be listed as well`() throws {
    let error = try file.failure([V0.Person.self, V0.Dog.self, V0.Cat.self], to: 0)
    expectEqual(
      error.message,
      """
      Invalid class subset list:
      - 'Person.home' links to class 'Address', which is missing from the list of classes managed \
      by the Realm
      """)
  }

  @Test func `Other mistakes of the classes are reported with it`() throws {
    let error = try file.failure([Keyed.Person.self], to: 0)
    expectEqual(
      error.message,
      """
      Invalid class subset list:
      - 'Person.cat' links to class 'Cat', which is missing from the list of classes managed by \
      the Realm
      Schema validation failed due to the following errors:
      - Property 'Person.name' of type 'double' cannot be made the primary key.
      """)
  }

  @Test func `Computed properties need the class that links, too`() throws {
    let error = try file.failure([V0.Dog.self], to: 0)
    expectTrue(error.message.contains("Property 'Dog.owners'"))
  }

  @Test func `A list that is closed under links is accepted`() throws {
    try file.open([V0.Cat.self]) { expectEqual($0.schema.names, ["Cat"]) }
    let all: [ObjectBase.Type] = [V0.Person.self, V0.Dog.self, V0.Cat.self, V0.Address.self]
    try file.open(all) { expectEqual($0.schema.names, ["Address", "Cat", "Dog", "Person"]) }
  }
}
