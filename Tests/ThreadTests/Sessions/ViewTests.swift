import Dispatch
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// A realm with a pinned version, which shows one state of the file until it is advanced.
@Suite struct ViewTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  /// Writes on another thread.
  private func elsewhere(_ body: @escaping @Sendable (Realm) -> Void) throws {
    try inThread(configuration) { realm in
      try realm.write { body(realm) }
    }
  }

  @Test func `A refresh says whether others have committed since the last one`() async throws {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    expectFalse(realm.refresh())
    try elsewhere { $0.add(Observed.person(1, "Ada")) }
    expectEqual(realm.objects(Observed.Person.self).count, 1)
    expectTrue(realm.refresh() && !realm.refresh())
    try realm.write { realm.add(Observed.person(2, "Bob")) }
    expectFalse(realm.refresh())
    try elsewhere { _ in }
    try elsewhere { $0.add(Observed.person(3, "Cleo")) }
    await expectTrue(realm.asyncRefresh())
    await expectTrue(!realm.asyncRefresh() && !realm.refresh())
    realm.beginWrite()
    realm.cancelWrite()
    expectFalse(realm.refresh())
    try elsewhere { $0.add(Observed.person(4, "Dora")) }
    try realm.write { realm.add(Observed.person(5, "Eve")) }
    expectFalse(realm.refresh())
  }

  @Test func `Without autorefresh nothing moves until refresh`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let dog = realm.create(Observed.Dog.self, value: ["name": "Rex"])
      let ada = Observed.person(1, "Ada", age: 30)
      ada.dogs.append(dog)
      ada.numbers.append(1)
      realm.add(ada)
    }
    let people = realm.objects(Observed.Person.self)
    let ada = try #require(people.first)
    let dog = try #require(ada.dogs.first)
    expectTrue(realm.autorefresh)
    realm.autorefresh = false
    expectFalse(realm.autorefresh)
    try elsewhere { realm in
      let ada = realm.objects(Observed.Person.self)[0]
      ada.age = 31
      ada.dogs.append(Observed.Dog(value: ["name": "Bo"]))
      ada.dogs[0].name = "Max"
      ada.numbers.append(2)
      ada.tags.insert("new")
      ada.scores["a"] = 1
      realm.add(Observed.person(2, "Bob"))
    }
    expectEqual(people.count, 1)
    expectEqual(people.where { $0.age > 30 }.count, 0)
    expectEqual(ada.age, 30)
    expectEqual(ada.dogs.count, 1)
    expectEqual(dog.name, "Rex")
    expectEqual(dog.owners.count, 1)
    expectEqual(ada.numbers.map { $0 }, [1])
    expectEqual(ada.tags.count, 0)
    expectEqual(ada.scores.count, 0)
    expectNil(realm.object(ofType: Observed.Person.self, forPrimaryKey: 2))
    expectEqual(people.map(\.age), [30])
    try expectEqual(
      realm.withDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person") }, 1)

    expectTrue(realm.refresh())
    expectFalse(realm.refresh())
    expectEqual(people.count, 2)
    expectEqual(ada.age, 31)
    expectEqual(ada.dogs.map(\.name), ["Max", "Bo"])
    expectEqual(dog.name, "Max")
    expectEqual(ada.numbers.map { $0 }, [1, 2])
    expectTrue(ada.tags.contains("new"))
    expectEqual(ada.scores["a"], 1)
  }

  @Test func `A transaction begins with the newest version, and its end shows it`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1, "Ada", age: 30)) }
    let ada = realm.objects(Observed.Person.self)[0]
    realm.autorefresh = false
    try elsewhere { $0.objects(Observed.Person.self)[0].age = 31 }
    expectEqual(ada.age, 30)
    try realm.write {
      expectEqual(ada.age, 31)
      ada.age += 1
    }
    expectEqual(ada.age, 32)
    try elsewhere { $0.objects(Observed.Person.self)[0].age = 50 }
    expectEqual(ada.age, 32)
    realm.beginWrite()
    expectEqual(ada.age, 50)
    ada.age = 0
    realm.cancelWrite()
    expectEqual(ada.age, 50)
  }

  @Test func `A loop goes on in the version in which it began`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 0..<300 { realm.add(Observed.person(id, age: id)) } }
    realm.autorefresh = false
    var ids: [Int] = []
    for person in realm.objects(Observed.Person.self).sorted(byKeyPath: "age") {
      if ids.isEmpty {
        try elsewhere { realm in
          for person in realm.objects(Observed.Person.self) { person.age = -person.age }
          realm.add(Observed.person(1_000, age: 400))
        }
        realm.refresh()
      }
      ids.append(person.id)
    }
    expectEqual(ids, Array(0..<300))
    expectEqual(realm.objects(Observed.Person.self).count, 301)
  }

  @Test func `With autorefresh again commits are shown at once`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try elsewhere { $0.add(Observed.person(1)) }
    expectTrue(realm.isEmpty)
    realm.autorefresh = true
    expectEqual(realm.objects(Observed.Person.self).count, 1)
    try elsewhere { $0.add(Observed.person(2)) }
    expectEqual(realm.objects(Observed.Person.self).count, 2)
  }

  @Test func `An object that was deleted elsewhere is there until refresh`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1, "Ada")) }
    let ada = realm.objects(Observed.Person.self)[0]
    realm.autorefresh = false
    try elsewhere { $0.deleteAll() }
    expectFalse(ada.isInvalidated)
    expectEqual(ada.name, "Ada")
    realm.refresh()
    expectTrue(ada.isInvalidated)
  }

  @Test func `Other realms of the place share what is kept`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try elsewhere { $0.add(Observed.person(1)) }
    let other = try Realm(configuration: configuration)
    expectEqual(other.objects(Observed.Person.self).count, 0)
    expectFalse(other.autorefresh)
    other.refresh()
    expectEqual(realm.objects(Observed.Person.self).count, 1)
  }
}
