import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Objects that a transaction has written. They are not read again after the commit, unless another
/// writer may have changed their rows.
@Suite(.serialized) struct WrittenObjectsTests {
  class Dog: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var owner: Owner?
    @Persisted var tags: List<String>
  }

  class Owner: Object {
    @Persisted var name = ""
    @Persisted var cat: Cat?
  }

  class Cat: EmbeddedObject {
    @Persisted var name = ""
  }

  /// A text of which the file keeps the small letters.
  struct Lowercase: CustomPersistable, Equatable {
    var text: String
    init(text: String) { self.text = text }
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text.lowercased() }
  }

  class Custom: Object {
    @Persisted var text = Lowercase(text: "")
  }

  private static let types = [Dog.self, Owner.self, Cat.self, Custom.self]

  private func withRealm(_ body: (TestFolder, Realm) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.open(Self.types) { try body(folder, $0) }
  }

  /// Whether a property of the object is read without a look at its row.
  private func isCurrent(_ object: ObjectBase, _ realm: Realm) -> Bool {
    object._stamp == realm.session.clock.now
  }

  @Test func `New and changed objects are current after the commit`() throws {
    try withRealm { _, realm in
      let (rex, bo) = (Dog(value: ["number": 1]), Dog(value: ["number": 2]))
      try realm.write { realm.add([rex, bo]) }
      expectTrue(isCurrent(rex, realm) && isCurrent(bo, realm))
      for age in 1...3 {
        try realm.write {
          rex.age = age
          rex.name = "Rex \(age)"
        }
        expectTrue(isCurrent(rex, realm) && !isCurrent(bo, realm))
        expectTrue(rex.age == age && rex.name == "Rex \(age)" && bo.age == 0)
      }
    }
  }

  @Test func `Another object of the row, and a second write of it, are read again`() throws {
    try withRealm { _, realm in
      let rex = Dog(value: ["number": 1])
      try realm.write { realm.add(rex) }
      let same = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
      try realm.write {
        rex.age = 1
        same.name = "Rex"
      }
      expectTrue(rex.age == 1 && rex.name == "Rex" && same.age == 1 && same.name == "Rex")
      try realm.write { rex.age = 2 }
      expectTrue(isCurrent(rex, realm) && !isCurrent(same, realm) && same.age == 2)
      try realm.write {
        rex.age = 3
        expectEqual(realm.objects(Dog.self).where { $0.age == 3 }.count, 1)
        same.age = 4
      }
      expectTrue(rex.age == 4 && same.age == 4)
    }
  }

  @Test func `What a trigger of another program does is seen`() throws {
    let folder = try TestFolder()
    try folder.open(Self.types) { realm in try realm.write { realm.create(Dog.self) } }
    try folder.execute(
      """
      CREATE TRIGGER stamp AFTER UPDATE OF age ON Dog BEGIN
        UPDATE Dog SET name = 'aged ' || new.age WHERE _id = new._id;
      END
      """)
    try folder.open(Self.types) { realm in
      let rex = try #require(realm.objects(Dog.self).first)
      try realm.write { rex.age = 5 }
      expectEqual(rex.name, "aged 5")
    }
  }

  @Test func `Links that a deletion has set to nil are nil`() throws {
    try withRealm { _, realm in
      let (rex, owner) = (Dog(), Owner())
      rex.owner = owner
      try realm.write { realm.add(rex) }
      try realm.write {
        rex.age = 1
        realm.delete(owner)
      }
      expectTrue(rex.owner == nil && rex.age == 1)
      try realm.write {
        let other = Owner()
        other.cat = Cat(value: ["name": "Tom"])
        rex.owner = other
      }
      expectEqual(rex.owner?.cat?.name, "Tom")
      let cat = try #require(rex.owner?.cat)
      try realm.write { rex.owner?.cat = nil }
      expectTrue(rex.owner?.cat == nil && cat.isInvalidated)
    }
  }

  @Test func `A type that stores another value than it shows is read again`() throws {
    try withRealm { _, realm in
      let custom = Custom()
      try realm.write { realm.add(custom) }
      try realm.write { custom.text = Lowercase(text: "ABC") }
      expectTrue(!isCurrent(custom, realm) && custom.text == Lowercase(text: "abc"))
    }
  }

  @Test func `Elements of a list, SQL and many objects are read again, and right`() throws {
    try withRealm { _, realm in
      let dogs = (0..<200).map { Dog(value: ["number": $0]) }
      try realm.write { realm.add(dogs) }
      expectTrue(!isCurrent(dogs[0], realm) && dogs.map(\.number) == Array(0..<200))
      try realm.write {
        dogs[0].age = 1
        dogs[0].tags.append("x")
      }
      expectTrue(!isCurrent(dogs[0], realm) && dogs[0].age == 1 && Array(dogs[0].tags) == ["x"])
      try realm.write {
        dogs[1].age = 1
        try realm.withDatabase { try $0.execute(sql: "UPDATE Dog SET name = 'n' WHERE number < 3") }
      }
      expectTrue(dogs[1].age == 1 && dogs[1].name == "n")
    }
  }

  @Test func `A commit of another realm or program is seen`() throws {
    try withRealm { folder, realm in
      let rex = Dog()
      try realm.write { realm.add(rex) }
      try realm.write { rex.age = 1 }
      expectTrue(isCurrent(rex, realm))
      try folder.execute("UPDATE Dog SET age = 7")
      realm.refresh()
      expectEqual(rex.age, 7)
      try realm.write { rex.name = "Rex" }
      expectTrue(rex.age == 7 && rex.name == "Rex")
    }
  }

  @Test func `A realm that holds a version is current with its own commit`() throws {
    try withRealm { _, realm in
      let rex = Dog()
      try realm.write { realm.add(rex) }
      realm.autorefresh = false
      try realm.write { rex.age = 1 }
      expectTrue(rex.age == 1 && realm.freeze().objects(Dog.self).first?.age == 1)
      let frozen = rex.freeze()
      try realm.write { rex.age = 2 }
      expectTrue(rex.age == 2 && frozen.age == 1)
    }
  }
}
