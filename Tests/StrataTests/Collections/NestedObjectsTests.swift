import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Objects in lists and dictionaries of an `AnyRealmValue`, also frozen, invalid and damaged ones.
@Suite struct NestedObjectsTests {
  typealias Setting = Shelf.Setting
  typealias Book = Shelf.Book
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `Objects in them are added, and read as the same objects`() throws {
    try folder.open(Shelf.types) { realm in
      let book = Book(value: ["title": "Logic"])
      try realm.write {
        let setting = Setting()
        setting.value = .fromArray([.object(book), .fromDictionary(["same": .object(book)])])
        setting.values.append(.fromArray([.object(Book(value: ["title": "Sets"]))]))
        realm.add(setting)
        setting.value.listValue?.append(.object(Book(value: ["title": "Types"])))
        setting.value[1]?["self"] = .object(setting)
      }
      let setting = realm.objects(Setting.self)[0]
      expectEqual(realm.objects(Book.self).count, 3)
      expectEqual(setting.value[0]?.object(Book.self), book)
      expectEqual(setting.value[1]?["same"]?.object(Book.self), book)
      expectEqual(setting.value[1]?["self"]?.object(Setting.self), setting)
      expectEqual(setting.value[2]?.object(Book.self)?.title, "Types")
      expectEqual(setting.values[0][0]?.object(Book.self)?.title, "Sets")
    }
  }

  @Test func `Results hear of a change inside of an element, as their list does`() throws {
    try folder.open(Shelf.types) { realm in
      let values = try realm.write {
        let setting = realm.create(Setting.self)
        setting.values.append(objectsIn: [1, .fromArray([2])])
        return setting.values
      }
      var heard: [String] = []
      let tokens = [
        values.observe { if case .update = $0 { heard.append("list") } },
        values.sorted().observe { if case .update = $0 { heard.append("sorted") } },
        values.distinct().observe { if case .update = $0 { heard.append("distinct") } },
      ]
      realm.refresh()
      try realm.write { values[1].listValue?.append(3) }
      realm.refresh()
      expectEqual(heard.sorted(), ["distinct", "list", "sorted"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func `An object that is deleted is none`() throws {
    try folder.write(Shelf.types) { realm in
      let setting = realm.create(Setting.self)
      setting.value = .fromArray([.object(Book()), 1])
      setting.values.append(.fromArray([.object(Book())]))
      realm.delete(realm.objects(Book.self))
      expectEqual(setting.value, .fromArray([.none, 1]))
      realm.create(Book.self)
      expectTrue(
        setting.value[0] == AnyRealmValue.none && setting.values[0][0] == AnyRealmValue.none)
    }
  }

  @Test func `Objects of another realm are copied by create, and refused elsewhere`() throws {
    let other = try Realm(
      configuration: .init(inMemoryIdentifier: "nested", objectTypes: Shelf.types))
    try other.write {
      let setting = other.create(Setting.self, value: ["id": 7])
      setting.value = .fromArray([.object(Book(value: ["title": "Sets"]))])
    }
    let foreign = other.objects(Setting.self)[0]
    try folder.open(Shelf.types) { realm in
      try realm.write {
        let copy = realm.create(Setting.self, value: foreign)
        expectEqual(copy.value[0]?.object(Book.self)?.title, "Sets")
      }
      #expect(throws: Realm.Error.self) {
        try realm.write { realm.objects(Setting.self)[0].value = foreign.value }
      }
    }
  }

  @Test func `A frozen one keeps what it shows, and is found again`() throws {
    try folder.open(Shelf.types) { realm in
      try realm.write {
        let setting = realm.create(Setting.self)
        setting.value = .fromArray([.fromArray([1])])
        setting.values.append(.fromDictionary(["a": .fromArray([1])]))
      }
      let setting = realm.objects(Setting.self)[0]
      let frozen = setting.freeze()
      let inner = try #require(setting.value[0]?.listValue)
      let frozenInner = inner.freeze()
      let frozenElement = try #require(setting.values[0]["a"]?.listValue).freeze()
      try realm.write {
        inner.append(2)
        setting.values[0]["a"]?.listValue?.append(2)
      }
      expectEqual(frozen.value, .fromArray([.fromArray([1])]))
      expectTrue(frozenInner.isFrozen && Array(frozenInner) == [1] && Array(frozenElement) == [1])
      let thawed = try #require(frozenInner.thaw())
      expectEqual(Array(thawed), [1, 2])
      expectTrue(inner.realm == realm && !inner.isFrozen)
    }
  }

  @Test func `Observers of the object hear of a change inside`() throws {
    try folder.open(Shelf.types) { realm in
      try realm.write { realm.create(Setting.self).value = .fromArray([.fromArray([1])]) }
      let setting = realm.objects(Setting.self)[0]
      var names: [String] = []
      let token = setting.observe { change in
        if case .change(_, let properties) = change { names += properties.map(\.name) }
      }
      try realm.write { setting.value[0]?.listValue?.append(2) }
      realm.refresh()
      expectEqual(names, ["value"])
      token.invalidate()
      expectIssue("can't be observed. Observe the object with 'Setting.value'") {
        _ = setting.value.listValue?.observe { _ in }
      }
    }
  }

  // MARK: Mistakes

  @Test func `More than a hundred levels are refused`() throws {
    func nested(_ levels: Int) -> AnyRealmValue {
      (0..<levels).reduce(.int(1)) { value, _ in .fromArray([value]) }
    }
    try folder.open(Shelf.types) { realm in
      try realm.write { realm.create(Setting.self).value = nested(100) }
      func expectTooDeep(_ body: @escaping (Setting) -> Void) {
        #expect {
          try realm.write { body(realm.objects(Setting.self)[0]) }
        } throws: {
          "\($0)".contains(
            "its lists and dictionaries are nested more than 100 levels deep. Store the innermost "
              + "values as an object, or in a property of its own.")
        }
      }
      expectTooDeep { $0.value = nested(101) }
      expectTooDeep { $0.values.append(nested(101)) }
      expectTooDeep { setting in
        var list = setting.value.listValue
        while let next = list?.first?.listValue { list = next }
        list?.append(.fromArray([]))
      }
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      expectTooDeep { $0.value = .list(list) }
      expectEqual(realm.objects(Setting.self)[0].value, nested(100))
    }
  }

  @Test func `A set can't hold them`() throws {
    try folder.open(Shelf.types) { realm in
      #expect {
        try realm.write { realm.create(Setting.self).set.insert(.fromArray([])) }
      } throws: {
        "\($0)".contains(
          "A list or a dictionary can't be an element of a 'MutableSet<AnyRealmValue>'. Use a 'List' "
            + "or a 'Map'.")
      }
    }
  }

  @Test func `A date that can't be stored is refused, and a number that is none is kept`() throws {
    try folder.open(Shelf.types) { realm in
      try realm.write {
        realm.create(Setting.self).value = .fromArray([.double(.nan), .float(-.infinity)])
      }
      let setting = realm.objects(Setting.self)[0]
      expectEqual(setting.value[0]?.doubleValue?.isNaN, true)
      expectEqual(setting.value[1], .float(-.infinity))
      #expect(throws: Realm.Error.self) {
        try realm.write { setting.value = .fromArray([.date(.distantFuture * 1_000)]) }
      }
    }
  }

  @Test func `A number that is none is kept as an element that is set, added, or has a key`() throws
  {
    try folder.open(Shelf.types) { realm in
      try realm.write {
        let setting = realm.create(Setting.self)
        setting.value = .fromArray([.int(1), .fromDictionary([:])])
        setting.value[0] = .double(.nan)
        setting.value.listValue?.append(.float(.nan))
        setting.value[1]?.dictionaryValue?["k"] = .double(.nan)
      }
      let value = realm.objects(Setting.self)[0].value
      expectEqual(value[0]?.doubleValue?.isNaN, true)
      expectEqual(value[1]?.dictionaryValue?["k"]?.doubleValue?.isNaN, true)
      expectEqual(value[2]?.floatValue?.isNaN, true)
    }
  }

  @Test func `A damaged text reads as none, and is found`() throws {
    let texts = ["[", "[{\"$oid\":\"x\"}]", "{}"]
    try folder.write(Shelf.types) { realm in
      for id in texts.indices { realm.create(Setting.self, value: ["id": id]) }
    }
    folder.isDamaged = true
    try folder.sql { db in
      for (id, text) in texts.enumerated() {
        try db.execute(
          sql: "UPDATE Setting SET value = ?, value_type = 'list' WHERE id = ?",
          arguments: [text, id])
      }
    }
    try folder.open(Shelf.types) { realm in
      let settings = realm.objects(Setting.self)
      expectTrue(settings[0].value == .none && settings[2].value == .none)
      expectTrue(settings.where { $0.value[0] == 1 }.isEmpty)
    }
    let problems = try Realm.problems(for: folder.configuration(Shelf.types))
    expectTrue(problems.count == 3 && problems.allSatisfy { $0.property == "value" })
  }
}

extension Date {
  fileprivate static func * (date: Date, factor: Double) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970 * factor)
  }
}
