import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private class Helper: Object {
  @Persisted var text = "helper"
  @Persisted var number = 7
  @Persisted var id: UUID
}

private class Part: EmbeddedObject {
  @Persisted var city = "Oslo"
}

/// Plain properties that hold models stand before, between and after persisted ones.
private class Holder: Object {
  var first = Helper()
  @Persisted var name = "none"
  var helpers = [Helper(), Helper()]
  @Persisted var count = 5
  lazy var late = Helper()
  @Persisted var part: Part? = Part()
  @Persisted var tags: List<String>
}

private class InInit: Object {
  @Persisted var name = "none"
  @Persisted var length = 1
  let helper: Helper
  let seen: String

  override init() {
    let made = Helper()
    seen = made.text
    helper = made
    super.init()
  }
}

private class Derived: Holder {
  @Persisted var extra = "more"
  var another = Helper()
}

/// Sets persisted properties before the base class is initialised.
private class Early: Object {
  @Persisted var name: String
  @Persisted var age = 3
  @Persisted var nick: String?

  override init() { super.init() }

  init(name: String, age: Int) {
    self.name = name
    self.age = age
    super.init()
    nick = name
  }
}

/// Classes that create objects in their initialisers, also when an object is made for a row.
@Suite("Objects that make others") struct NestedDefaultsTests {
  private static let types: [ObjectBase.Type] = [
    Helper.self, Part.self, Holder.self, InInit.self, Derived.self, Early.self,
  ]

  private func isWhole(_ helper: Helper) -> Bool {
    helper.text == "helper" && helper.number == 7 && helper.realm == nil
      && helper.id != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  @Test func `Objects that make others have them whole when they are read from a file`() throws {
    let file = try TestFile()
    try file.write(Self.types) { realm in
      for number in 0..<3 {
        realm.create(
          Holder.self,
          value: ["name": "\(number)", "count": number, "tags": ["a"]] as [String: Any])
      }
      realm.create(Derived.self, value: ["name": "d", "extra": "e"])
    }
    try file.open(Self.types) { realm in
      for _ in 0..<2 {
        let holders = realm.objects(Holder.self)
        expectTrue(holders.map(\.name) == ["0", "1", "2"] && holders.map(\.count) == [0, 1, 2])
        expectTrue(holders.allSatisfy { isWhole($0.first) && $0.helpers.allSatisfy(isWhole) })
        expectTrue(holders.allSatisfy { isWhole($0.late) && $0.part?.city == "Oslo" })
        expectTrue(holders.allSatisfy { Array($0.tags) == ["a"] })
        expectEqual(Set(holders.map { ObjectIdentifier($0.first) }).count, 3, "one each")
      }
      let derived = try #require(realm.objects(Derived.self).first)
      expectTrue(derived.extra == "e" && derived.name == "d")
      expectTrue(isWhole(derived.another) && isWhole(derived.first))
    }
  }

  @Test func `Objects may make others in an initializer`() throws {
    let file = try TestFile()
    try file.write(Self.types) {
      $0.create(InInit.self, value: ["name": "a", "length": 2] as [String: Any])
    }
    try file.open(Self.types) { realm in
      let object = try #require(realm.objects(InInit.self).first)
      expectTrue(object.name == "a" && object.length == 2)
      expectTrue(object.seen == "helper" && isWhole(object.helper))
    }
  }

  @Test func `Default objects and lists are those of new objects only`() throws {
    let file = try TestFile()
    try file.write(Self.types) { realm in
      realm.create(Holder.self, value: ["part": nil] as [String: Any?])
      realm.add(Holder())
    }
    try file.open(Self.types) { realm in
      expectEqual(realm.objects(Holder.self).map { $0.part?.city }, [nil, "Oslo"])
    }
  }

  @Test func `A property may be set before 'super.init()'`() throws {
    let ada = Early(name: "Ada", age: 36)
    expectTrue(ada.name == "Ada" && ada.age == 36 && ada.nick == "Ada")
    expectTrue(Early().name == "" && Early().age == 3)
    let file = try TestFile()
    try file.write(Self.types) { $0.add(ada) }
    try file.open(Self.types) { realm in
      let read = try #require(realm.objects(Early.self).first)
      expectTrue(read.name == "Ada" && read.age == 36 && read.nick == "Ada")
    }
  }
}
