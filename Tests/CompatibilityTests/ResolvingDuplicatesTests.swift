import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Duplicate keys, of which one object stays, as docs/migrating.md shows it.
@Suite struct ResolvingDuplicatesTests {
  private enum Old {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var updatedAt = Date(timeIntervalSince1970: 0)
    }
    class Shop: Object {
      @Persisted var name: String?
      @Persisted var phone: String?
      @Persisted var owner: Person?
    }
  }

  private enum New {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var updatedAt = Date(timeIntervalSince1970: 0)
    }
    class Shop: Object {
      @Persisted(primaryKey: true) var name: String?
      @Persisted var phone: String?
      @Persisted var owner: Person?
    }
    static let types: [ObjectBase.Type] = [Person.self, Shop.self]
  }

  private func file() throws -> TestFile {
    let file = try TestFile()
    try file.write([Old.Person.self, Old.Shop.self]) { realm in
      let times = [3.0, 9, 9, 1]
      let people = times.enumerated().map { index, time in
        realm.create(
          Old.Person.self,
          value: ["id": index % 3, "updatedAt": Date(timeIntervalSince1970: time)])
      }
      for (index, name) in ["Corner", nil, "Corner", nil].enumerated() {
        realm.create(
          Old.Shop.self,
          value: ["name": name, "phone": index > 1 ? "\(index)" : nil, "owner": people[index]]
            as [String: Any?])
      }
    }
    return file
  }

  @Test func `One object of each key stays, and links lead to it`() throws {
    let file = try file()
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.resolveDuplicates(ofType: "Person", keeping: .greatest("updatedAt"))
      migration.resolveDuplicates(
        ofType: "Shop",
        keeping: .merging { survivor, duplicates in
          for duplicate in duplicates where survivor["phone"] == nil {
            survivor["phone"] = duplicate["phone"]
          }
        })
    }
    try file.open(New.types, version: 1) { realm in
      expectEqual(realm.objects(New.Person.self).map(\.id), [0, 1, 2])
      let shops = realm.objects(New.Shop.self)
      expectEqual(shops.map(\.name), ["Corner", nil])
      expectEqual(shops.map(\.phone), ["2", "3"])
      expectEqual(shops.map { $0.owner?.id }, [0, 1])
    }
  }

  @Test func `The result says what was done`() throws {
    let done = Box(DuplicateResolution?.none)
    try file().migrate(New.types, to: 1) { migration, _ in
      migration.resolveDuplicates(ofType: "Shop", keeping: .first)
      done.value = migration.resolveDuplicates(ofType: "Person", keeping: .last)
    }
    let result = try #require(done.value)
    expectTrue(result.groupCount == 1 && result.removedCount == 1 && result.movedLinkCount == 1)
    expectEqual(result.groups.map(\.value), [.integer(0)])
    expectTrue(result.groups[0].survivor > result.groups[0].removed[0])
  }

  @Test func `Without resolving the duplicates the key is refused`() throws {
    let error = try file().failure(New.types, to: 1)
    expectTrue(error.message.hasPrefix("Primary key property 'Person.id' has duplicate values"))
  }
}
