import Testing

@testable import Strata

@Suite struct PersistedKeyPathTests {
  @Test(
    arguments: [
      \Q.Person.name, \.nick, \.age, \.size, \.score, \.isDone, \.born, \.photo, \.price, \.any,
      \.kind,
      \.optionalKind, \.length, \.detour, \.place, \.lastPlace, \.address, \.dog, \.company, \.dogs,
      \.dogSet, \.tags, \.scores, \.optionalScores, \.kinds, \.legs, \.places, \.points,
      \.optionalPoints, \.kindsByName, \.dogsByName,
    ] as [any PartialKeyPath<Q.Person> & Sendable])
  func `A property of each type is known by its key path`(
    keyPath: any PartialKeyPath<Q.Person> & Sendable
  ) throws {
    let path = try #require(persistedPath(of: keyPath))
    #expect(path.properties.count == 1)
    #expect(persistedPath(of: keyPath)?.text == path.text)
  }

  @Test func `Key paths give the names of their properties`() {
    #expect(keyPathString(of: \Q.Person.age) == "age")
    #expect(keyPathString(of: \Q.Person.dogsByName) == "dogsByName")
    #expect(keyPathString(of: \Q.Dog.owners) == "owners")
    #expect(keyPathString(of: \Q.Person.dog?.name) == "dog.name")
    #expect(keyPathString(of: \Q.Person.company?.owner?.dog?.weight) == "company.owner.dog.weight")
    #expect(keyPathString(of: \Q.Person.company?.owner) == "company.owner")
    #expect(keyPathString(of: \Q.Person.address?.city) == "address.city")
    #expect(keyPathString(of: \Q.Person.dog?.toys) == "dog.toys")
    // It gives the value of the property as it is.
    #expect(keyPathString(of: \Q.Person.sameAge) == "age")
  }

  @Test(
    arguments: [
      \Q.Person.twice, \.nickOrEmpty, \.both, \.otherDogs, \.plain, \.name.count,
      \.kind.rawValue, \.dogs.count, \.self,
    ] as [any PartialKeyPath<Q.Person> & Sendable])
  func `A key path that computes something is none of the file`(
    keyPath: any PartialKeyPath<Q.Person> & Sendable
  ) {
    #expect(persistedPath(of: keyPath)?.text == nil)
    #expect(persistedPath(of: keyPath)?.text == nil)
  }

  @Test func `A key path that computes its value of one property tells which`() {
    #expect(readPath(of: \Q.Person.twice)?.text == "age")
    #expect(readPath(of: \Q.Person.nickOrEmpty)?.text == "nick")
    #expect(readPath(of: \Q.Person.dogName)?.text == "dog.name")
    #expect(readPath(of: \Q.Person.both) == nil)
    #expect(readPath(of: \Q.Person.plain) == nil)
  }

  @Test func `Only a property in a column of its own has one`() {
    #expect(persistedProperty(of: \Q.Person.age)?.name == "age")
    #expect(persistedProperty(of: \Q.Person.dog)?.name == "dog")
    #expect(persistedProperty(of: \Q.Person.dogs) == nil)
    #expect(persistedProperty(of: \Q.Person.dog?.name) == nil)
    #expect(persistedProperty(of: \Q.Dog.owners) == nil)
  }
}
