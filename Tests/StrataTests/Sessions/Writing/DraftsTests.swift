import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Values that are read completely before any part is written.
@Suite struct DraftsTests {
  final class Address: EmbeddedObject {
    @Persisted var street = ""
  }
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var address: Address?
    @Persisted var friends: List<Person>
    @Persisted var byName: Map<String, Person?>
    @Persisted var any: AnyRealmValue
  }
  final class Scalars: Object {
    @Persisted var int = 0
    @Persisted var text = ""
    @Persisted var maybe: Double?
    @Persisted var date = Date(timeIntervalSince1970: 7)
  }

  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(
      configuration: folder.configuration([Address.self, Person.self, Scalars.self]))
  }

  private func error(_ value: Any, _ policy: Realm.UpdatePolicy = .error) -> Realm.Error? {
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(Person.self, value: value, update: policy)
        // The error is what the write throws at its end: until then nothing was written.
        expectTrue(realm.objects(Person.self).isEmpty)
      }
    }
  }

  private static let wrong = "Invalid value '5' of type 'Int' for 'string' property"

  @Test func `A mistake in a value is told with its place, before anything is written`() {
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let street: [String: Any] = ["id": 2, "address": ["street": 5]]
      let good: [String: Any] = ["id": 3, "address": ["street": "x"]]
      expectEqual(
        error(["id": 1, "friends": [good, street]], policy)?.message,
        "\(Self.wrong) 'Address.street'. It is at 'friends[1].address.street' of the value.")
      let map = error(["id": 1, "byName": ["Ada": street]], policy)
      expectEqual(
        map?.message,
        "\(Self.wrong) 'Address.street'. It is at 'byName[\"Ada\"].address.street' of the value."
      )
      // A key of a map is a value, which no log has.
      expectEqual(map?.loggedMessage.contains("Ada"), false)
      expectEqual(
        error(["id": 1, "friends": [good, ["id": 4, "name": 5]]], policy)?.message,
        "\(Self.wrong) 'Person.name'. It is at 'friends[1].name' of the value.")
      // A mistake in the value itself needs no place.
      expectEqual(error(["id": 1, "name": 5], policy)?.message, "\(Self.wrong) 'Person.name'.")
      let sequence = error(["id": 1, "friends": [good, ["id": 4, "friends": 5]]], policy)
      expectEqual(sequence?.message.hasSuffix(" It is at 'friends[1].friends' of the value."), true)
    }
  }

  @Test func `At the end of a long chain a mistake is told with the last steps to it`() throws {
    let elsewhere = try TestFolder()
    let other = try Realm(configuration: elsewhere.configuration([Address.self, Person.self]))
    let stranger = try other.write { other.create(Person.self, value: ["id": -1]) }
    let people = (0..<20_000).map { Person(value: ["id": $0]) }
    for (person, next) in zip(people, people.dropFirst()) { person.friends.append(next) }
    people.last?.byName["Eve"] = stranger
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(people[0]) } }
    let steps = String(repeating: "friends[0].", count: 15)
    expectEqual(
      error?.message, "\(ErrorText.otherRealm) It is at '….\(steps)byName' of the value.")
    expectTrue(realm.objects(Person.self).isEmpty)
  }

  @Test func `Long chains and circles are read`() throws {
    var value: [String: Any] = ["id": 0]
    for id in 1..<300 { value = ["id": id, "friends": [value]] }
    try realm.write { realm.create(Person.self, value: value) }
    expectEqual(realm.objects(Person.self).count, 300)
    let people = (1_000..<6_000).map { Person(value: ["id": $0]) }
    for (person, next) in zip(people, people.dropFirst() + people.prefix(1)) {
      person.friends.append(next)
    }
    try realm.write { realm.add(people[0]) }
    expectEqual(realm.objects(Person.self).count, 5_300)
  }

  @Test func `An object without links is written as a draft of it would be`() throws {
    func rows(_ class: String) throws -> [String] {
      try folder.dump().split(separator: "\n").filter { $0.hasPrefix("\(`class`): ") }.map {
        String($0.dropFirst(`class`.count))
      }
    }
    let values: [[String: Any]] = [
      ["int": 1, "text": "é", "maybe": 0.5], [:], ["text": "a\0b", "date": Date.distantPast],
    ]
    try realm.write {
      for value in values { realm.add(Scalars(value: value)) }
    }
    let short = try rows("Scalars")
    try realm.write {
      realm.deleteAll()
      for value in values { realm.add(Scalars(value: value), update: .all) }
    }
    let drafts = try rows("Scalars")
    expectTrue(short.count == 3 && drafts.count == 3)
    func withoutIdentity(_ rows: [String]) -> [String] {
      rows.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    }
    expectEqual(withoutIdentity(short), withoutIdentity(drafts))
  }
}
