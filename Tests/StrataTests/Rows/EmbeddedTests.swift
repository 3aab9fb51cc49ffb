import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Embedded objects")
struct EmbeddedTests {
  let folder: TestFolder
  let realm: Realm
  let person: Graph.Person

  init() throws {
    folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Graph.types))
    self.realm = realm
    person = try realm.write {
      realm.create(
        Graph.Person.self,
        value: [
          "name": "Ada",
          "home": ["city": "London", "geo": ["latitude": 51.5, "longitude": 0]],
          "past": [["city": "Paris"], ["city": "Rome", "geo": ["latitude": 41.9]]],
          "places": ["work": ["city": "Turin"]],
        ])
    }
  }

  private func cities() throws -> [String] {
    try folder.texts("SELECT city FROM Address ORDER BY city")
  }

  private func geos() throws -> Int? { try folder.count(of: "Geo") }

  @Test func `Nested values make embedded objects, with inverse links`() throws {
    expectEqual(person.home?.geo?.latitude, 51.5)
    expectEqual(person.past.map(\.city), ["Paris", "Rome"])
    expectEqual(person.places["work"]??.city, "Turin")
    expectEqual(person.home?.residents.first, person)
    try expectEqual(cities(), ["London", "Paris", "Rome", "Turin"])
    try expectEqual(geos(), 2)
  }

  @Test func `Replaced and removed children are deleted, with their own`() throws {
    let london = try #require(person.home)
    try realm.write {
      person.home = Graph.Address(value: ["city": "Bath"])
      expectTrue(london.isInvalidated)
      person.home = Graph.Address(value: ["city": "Oxford"])
      person.past[1] = Graph.Address(value: ["city": "Milan"])
      person.places["work"] = Graph.Address(value: ["city": "Genoa"])
    }
    expectTrue(london.isInvalidated)
    try expectEqual(cities(), ["Genoa", "Milan", "Oxford", "Paris"])
    try expectEqual(geos(), 0)
    try realm.write {
      person.past.remove(at: 0)
      person.places["work"] = nil
      person.home = nil
    }
    try expectEqual(cities(), ["Milan"])
    try realm.write { person.past.removeAll() }
    try expectEqual(cities(), [])
    try expectTrue(folder.isSound())
  }

  @Test func `Moving an embedded object keeps it`() throws {
    try realm.write {
      person.past.append(Graph.Address(value: ["city": "Wien"]))
      person.past.move(from: 2, to: 0)
      person.past.swapAt(1, 2)
    }
    expectEqual(person.past.map(\.city), ["Wien", "Rome", "Paris"])
    expectEqual(person.past[1].geo?.latitude, 41.9)
  }

  @Test func `A new parent with another child leaves nothing behind`() throws {
    try realm.write {
      let bob = realm.create(Graph.Person.self, value: ["name": "Bob"])
      bob.home = Graph.Address(value: ["city": "A"])
      bob.home = Graph.Address(value: ["city": "B"])
      bob.past.append(Graph.Address(value: ["city": "C"]))
      bob.past.removeAll()
    }
    try expectEqual(cities(), ["B", "London", "Paris", "Rome", "Turin"])
  }

  @Test(arguments: [true, false])
  func `Embedded objects are deleted with their parent, however it was deleted`(inSwift: Bool)
    throws
  {
    let home = try #require(person.home)
    if inSwift {
      try realm.write { realm.delete(person) }
    } else {
      try folder.execute("PRAGMA foreign_keys = OFF; DELETE FROM Person")
      realm.refresh()
    }
    try expectEqual(cities(), [])
    try expectEqual(geos(), 0)
    expectTrue(home.isInvalidated)
    try expectTrue(folder.isSound())
  }

  @Test func `An embedded object with a parent can't get another one`() throws {
    let text = "Cannot set a link to an existing managed embedded object."
    expectError(text) {
      try realm.write { realm.create(Graph.Person.self).home = person.home }
    }
    expectError(text) {
      try realm.write { person.past.append(person.home!) }
    }
    let shared = Graph.Address(value: ["city": "X"])
    expectError(
      "The value has the same object in several places of embedded objects of class 'Address': give "
        + "each place an object or a dictionary of its own."
    ) {
      try realm.write {
        realm.add(Graph.Person(value: ["home": shared, "past": [shared]]))
      }
    }
    try expectEqual(cities(), ["London", "Paris", "Rome", "Turin"])
  }

  @Test func `Assigning a child to its own place changes nothing`() throws {
    try realm.write { person.home = person.home }
    expectEqual(person.home?.geo?.latitude, 51.5)
  }

  @Test func `Copies have children of their own`() throws {
    let copy = try realm.write { realm.create(Graph.Person.self, value: person) }
    expectTrue(copy.home != person.home)
    expectEqual(copy.home?.geo?.latitude, 51.5)
    expectEqual(copy.past.map(\.city), ["Paris", "Rome"])
    try expectEqual(geos(), 4)
  }

  @Test func `Deleting a child makes its parent's link nil`() throws {
    try realm.write { realm.delete(person.home!) }
    expectNil(person.home)
    try realm.write { realm.delete(person.past[0]) }
    expectEqual(person.past.map(\.city), ["Rome"])
  }
}
