import TestKit
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
    expectEqual(path.properties.count, 1)
    expectEqual(persistedPath(of: keyPath)?.text, path.text)
  }

  @Test func `Key paths give the names of their properties`() {
    expectEqual(keyPathString(of: \Q.Person.age), "age")
    expectEqual(keyPathString(of: \Q.Person.dogsByName), "dogsByName")
    expectEqual(keyPathString(of: \Q.Dog.owners), "owners")
    expectEqual(keyPathString(of: \Q.Person.dog?.name), "dog.name")
    expectEqual(
      keyPathString(of: \Q.Person.company?.owner?.dog?.weight), "company.owner.dog.weight")
    expectEqual(keyPathString(of: \Q.Person.company?.owner), "company.owner")
    expectEqual(keyPathString(of: \Q.Person.address?.city), "address.city")
    expectEqual(keyPathString(of: \Q.Person.dog?.toys), "dog.toys")
    // It gives the value of the property as it is.
    expectEqual(keyPathString(of: \Q.Person.sameAge), "age")
  }

  @Test(
    arguments: [
      \Q.Person.twice, \.nickOrEmpty, \.both, \.otherDogs, \.plain, \.name.count,
      \.kind.rawValue, \.dogs.count, \.self,
    ] as [any PartialKeyPath<Q.Person> & Sendable])
  func `A key path that computes something is none of the file`(
    keyPath: any PartialKeyPath<Q.Person> & Sendable
  ) {
    expectNil(persistedPath(of: keyPath)?.text)
    expectNil(persistedPath(of: keyPath)?.text)
  }

  @Test func `A key path that computes its value of one property tells which`() {
    expectEqual(readPath(of: \Q.Person.twice)?.text, "age")
    expectEqual(readPath(of: \Q.Person.nickOrEmpty)?.text, "nick")
    expectEqual(readPath(of: \Q.Person.dogName)?.text, "dog.name")
    expectNil(readPath(of: \Q.Person.both))
    expectNil(readPath(of: \Q.Person.plain))
  }

  @Test func `Only a property in a column of its own has one`() {
    expectEqual(persistedProperty(of: \Q.Person.age)?.name, "age")
    expectEqual(persistedProperty(of: \Q.Person.dog)?.name, "dog")
    expectNil(persistedProperty(of: \Q.Person.dogs))
    expectNil(persistedProperty(of: \Q.Person.dog?.name))
    expectNil(persistedProperty(of: \Q.Dog.owners))
  }
}
