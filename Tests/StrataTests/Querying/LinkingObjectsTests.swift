import Strata
import StrataTestKit
import TestKit
import Testing

/// Links followed backwards, in a file.
@Suite struct LinkingObjectsTests {
  final class Owner: Object {
    @Persisted var name = ""
    @Persisted var cat: Cat?
  }

  final class Cat: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "cat") var owners: LinkingObjects<Owner>
  }

  @Test func `Linking objects are the objects that link to an object`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Owner.self, Cat.self]))
    let cat = Cat(value: ["Tom"])
    expectTrue(cat.owners.isEmpty && cat.owners.first == nil && cat.owners.realm == nil)
    try realm.write {
      for name in ["B", "A"] { realm.create(Owner.self, value: ["name": name, "cat": cat]) }
      realm.create(Owner.self, value: ["C"])
    }
    let tom = try #require(realm.objects(Cat.self).first)
    expectEqual(realm.objects(Cat.self).count, 2)
    try realm.write { realm.objects(Owner.self).setValue(tom, forKey: "cat") }
    expectTrue(tom.owners.map(\.name) == ["B", "A", "C"] && tom.owners.count == 3)
    expectEqual(tom.owners.sorted(byKeyPath: "name").map(\.name), ["A", "B", "C"])
    expectEqual(tom.owners.sorted(by: \.name, ascending: false).first?.name, "C")
    let second = tom.owners[1]
    expectTrue(tom.owners.index(of: second) == 1 && tom.owners.contains(second))
    expectTrue(tom.owners.index(of: Owner()) == nil && tom.owners.realm == realm)
    expectEqual(tom.owners.value(forKey: "name").map { $0 as? String }, ["B", "A", "C"])
    try realm.write { tom.owners.setValue(nil, forKey: "cat") }
    expectTrue(tom.owners.isEmpty)
  }
}
