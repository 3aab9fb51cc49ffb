import Dispatch
import GRDB
import Strata
import StrataTestKit
import Testing

/// A realm that keeps a version shows one state of the file, until it is moved.
@Suite struct ViewTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  /// Writes on another thread.
  private func elsewhere(_ body: @escaping @Sendable (Realm) -> Void) throws {
    let configuration = configuration
    try startThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { body(realm) }
    }.wait()
  }

  @Test func `A refresh says whether others have committed since the last one`() async throws {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    #expect(!realm.refresh())
    try elsewhere { $0.add(Observed.person(1, "Ada")) }
    #expect(realm.objects(Observed.Person.self).count == 1)
    #expect(realm.refresh() && !realm.refresh())
    try realm.write { realm.add(Observed.person(2, "Bob")) }
    #expect(!realm.refresh())
    try elsewhere { _ in }
    try elsewhere { $0.add(Observed.person(3, "Cleo")) }
    #expect(await realm.asyncRefresh())
    #expect(await !realm.asyncRefresh() && !realm.refresh())
    realm.beginWrite()
    realm.cancelWrite()
    #expect(!realm.refresh())
    try elsewhere { $0.add(Observed.person(4, "Dora")) }
    try realm.write { realm.add(Observed.person(5, "Eve")) }
    #expect(!realm.refresh())
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
    #expect(realm.autorefresh)
    realm.autorefresh = false
    #expect(!realm.autorefresh)
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
    #expect(people.count == 1)
    #expect(people.where { $0.age > 30 }.count == 0)
    #expect(ada.age == 30)
    #expect(ada.dogs.count == 1)
    #expect(dog.name == "Rex")
    #expect(dog.owners.count == 1)
    #expect(ada.numbers.map { $0 } == [1])
    #expect(ada.tags.count == 0)
    #expect(ada.scores.count == 0)
    #expect(realm.object(ofType: Observed.Person.self, forPrimaryKey: 2) == nil)
    #expect(people.map(\.age) == [30])
    #expect(
      try realm.withDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person") } == 1)

    #expect(realm.refresh())
    #expect(!realm.refresh())
    #expect(people.count == 2)
    #expect(ada.age == 31)
    #expect(ada.dogs.map(\.name) == ["Max", "Bo"])
    #expect(dog.name == "Max")
    #expect(ada.numbers.map { $0 } == [1, 2])
    #expect(ada.tags.contains("new"))
    #expect(ada.scores["a"] == 1)
  }

  @Test func `A transaction begins with the newest version, and its end shows it`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1, "Ada", age: 30)) }
    let ada = realm.objects(Observed.Person.self)[0]
    realm.autorefresh = false
    try elsewhere { $0.objects(Observed.Person.self)[0].age = 31 }
    #expect(ada.age == 30)
    try realm.write {
      #expect(ada.age == 31)
      ada.age += 1
    }
    #expect(ada.age == 32)
    try elsewhere { $0.objects(Observed.Person.self)[0].age = 50 }
    #expect(ada.age == 32)
    realm.beginWrite()
    #expect(ada.age == 50)
    ada.age = 0
    realm.cancelWrite()
    #expect(ada.age == 50)
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
    #expect(ids == Array(0..<300))
    #expect(realm.objects(Observed.Person.self).count == 301)
  }

  @Test func `With autorefresh again commits are shown at once`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try elsewhere { $0.add(Observed.person(1)) }
    #expect(realm.isEmpty)
    realm.autorefresh = true
    #expect(realm.objects(Observed.Person.self).count == 1)
    try elsewhere { $0.add(Observed.person(2)) }
    #expect(realm.objects(Observed.Person.self).count == 2)
  }

  @Test func `An object that was deleted elsewhere is there until refresh`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1, "Ada")) }
    let ada = realm.objects(Observed.Person.self)[0]
    realm.autorefresh = false
    try elsewhere { $0.deleteAll() }
    #expect(!ada.isInvalidated)
    #expect(ada.name == "Ada")
    realm.refresh()
    #expect(ada.isInvalidated)
  }

  @Test func `Other realms of the place share what is kept`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try elsewhere { $0.add(Observed.person(1)) }
    let other = try Realm(configuration: configuration)
    #expect(other.objects(Observed.Person.self).count == 0)
    #expect(!other.autorefresh)
    other.refresh()
    #expect(realm.objects(Observed.Person.self).count == 1)
  }
}
