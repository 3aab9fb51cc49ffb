import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Old = Homes.TopLevel
private typealias New = Homes.Embedded

private enum Mixed {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }
  class Home: Object {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

private enum MixedEmbedded {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// The change of an `Object` to an `EmbeddedObject`, where a choice of the program is missing.
@Suite("Refused embedding") struct EmbeddingRefusalTests {
  private func filled(_ fill: (Realm) -> Void) throws -> TestFile {
    let file = try TestFile()
    try file.write(Old.types) { fill($0) }
    return file
  }

  private func refusal(
    _ file: TestFile, sourceLocation: SourceLocation = #_sourceLocation,
    _ block: MigrationBlock? = nil
  ) throws -> String {
    let homes = try file.shown("Home", "name")
    let schema = try file.storedSchema()
    let error = try file.failure(New.types, to: 1, sourceLocation: sourceLocation, block)
    expectEqual(error.code, .fail, sourceLocation: sourceLocation)
    try expectEqual(file.version, 0, sourceLocation: sourceLocation)
    try expectEqual(file.storedSchema(), schema, sourceLocation: sourceLocation)
    try expectEqual(file.shown("Home", "name"), homes, sourceLocation: sourceLocation)
    return error.message
  }

  @Test(arguments: [true, false])
  func `Objects without a parent are refused, with their number and rows`(withBlock: Bool) throws {
    let file = try filled { realm in
      realm.create(Old.Home.self, value: ["Nowhere"])
      realm.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any])
      for _ in 0..<11 { realm.create(Old.Home.self, value: ["Elsewhere"]) }
    }
    try expectEqual(
      refusal(file, withBlock ? idleBlock : nil),
      """
      \(Homes.orphan)
      - 12 objects of 'Home' have no parent (_id 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)
      Delete them in the migration block, link to them, or have them deleted with \
      'migration.embedObjects(ofType: "Home", orphans: .delete)'.
      """)
  }

  @Test(arguments: [true, false])
  func `Objects with several parents are refused, with the objects and their parents`(
    withBlock: Bool
  ) throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      realm.create(Old.Person.self, value: ["Ada", home] as [Any])
      realm.create(Old.Person.self, value: ["Bob", home] as [Any])
      realm.create(Old.Shop.self, value: ["Fish", home] as [Any])
    }
    try expectEqual(
      refusal(file, withBlock ? idleBlock : nil),
      """
      \(Homes.shared)
      - 'Home' 1 is shared by 'Person' 1, 2 (home), 'Shop' 1 (home)
      Give each parent its own copy in the migration block, or have them copied with \
      'migration.embedObjects(ofType: "Home", shared: .copy)'.
      """)
  }

  @Test func `Two places of one parent are two parents`() throws {
    for property in ["homes", "places"] {
      let file = try filled { realm in
        let home = realm.create(Old.Home.self, value: ["Oslo"])
        let value: Any = property == "homes" ? [home, home] : ["a": home, "b": home]
        realm.create(Old.Person.self, value: ["name": "Ada", property: value])
      }
      try expectTrue(
        refusal(file).contains("- 'Home' 1 is shared by 'Person' 1, 1 (\(property))\n"))
    }
  }

  @Test func `The error names ten objects and ten parents, and says how many there are`() throws {
    let file = try filled { realm in
      let homes = (1...12).map { realm.create(Old.Home.self, value: ["\($0)"]) }
      for home in homes {
        realm.create(Old.Person.self, value: ["Ada", home, [home, homes[0]]] as [Any])
      }
    }
    let message = try refusal(file)
    expectTrue(message.contains("\n- and 2 more of 12 objects\n"))
    expectTrue(message.contains("(home), 'Person' 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, … (homes)"))
  }

  @Test func `Links that the block adds count`() throws {
    let file = try filled { $0.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any]) }
    let message = try refusal(file) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        migration.create("Person", value: ["Bob", new!["home"]])
      }
    }
    expectTrue(message.hasPrefix(Homes.shared))
  }

  @Test func `Links that the block removes don't count`() throws {
    let file = try filled { $0.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any]) }
    let message = try refusal(file) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new!["home"] = nil }
    }
    expectTrue(message.hasPrefix(Homes.orphan))
    expectTrue(message.contains("\n- 1 object of 'Home' has no parent (_id 1)\n"))
  }

  @Test func `Objects that the block creates without a parent are orphans`() throws {
    let file = try filled { $0.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any]) }
    let message = try refusal(file) { migration, _ in
      migration.create("Home", value: ["Nowhere"])
    }
    expectTrue(message.hasPrefix(Homes.orphan))
  }

  @Test func `A choice for one of the two doesn't decide about the other`() throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      realm.create(Old.Person.self, value: ["Ada", home, [home]] as [Any])
      realm.create(Old.Home.self, value: ["Nowhere"])
    }
    var message = try refusal(file) { migration, _ in
      migration.embedObjects(ofType: "Home", orphans: .delete)
    }
    expectTrue(message.hasPrefix(Homes.shared))
    message = try refusal(file) { migration, _ in
      migration.embedObjects(ofType: "Home", shared: .copy)
    }
    expectTrue(message.hasPrefix(Homes.orphan))
  }

  @Test func `A choice for a class that doesn't become embedded is a mistake`() throws {
    let file = try filled { _ in }
    for name in ["Person", "Nothing"] {
      let message = try refusal(file) { migration, _ in
        migration.embedObjects(ofType: name, orphans: .delete)
      }
      expectTrue(
        message.hasPrefix("'\(name)' does not become an embedded class in this migration"))
    }
  }

  @Test(
    arguments: ["value", "list", "set", "map"])
  func `A link from a value of any type is refused until it is removed, whatever was chosen`(
    property: String
  ) throws {
    let file = try TestFile()
    try file.write(Mixed.types) { realm in
      let home = realm.create(Mixed.Home.self, value: ["Oslo"])
      let ada = realm.create(Mixed.Person.self, value: ["Ada", home] as [Any])
      let value = AnyRealmValue.object(home)
      switch property {
      case "value": ada.value = value
      case "list": ada.list.append(objectsIn: [1, value])
      case "set": ada.set.insert(value)
      default: ada.map["a"] = value
      }
    }
    let error = try file.failure(MixedEmbedded.types, to: 1) { migration, _ in
      migration.embedObjects(ofType: "Home", orphans: .delete, shared: .copy)
    }
    expectEqual(
      error.message,
      Homes.refusal + "there is an incoming link from the Mixed property "
        + "'Person.\(property)', which does not support linking to embedded objects.")
    try expectEqual(file.shown("Home", "name"), ["Oslo"])
    try file.migrate(MixedEmbedded.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new![property] = nil }
    }
    try expectEqual(file.shown("Person", "home"), ["Oslo"])
  }

  @Test
  func `After a refusal the old classes still open the file, and a better block migrates it`()
    throws
  {
    let file = try filled { realm in
      realm.create(Old.Home.self, value: ["Nowhere"])
      realm.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any])
    }
    _ = try refusal(file)
    try file.open(Old.types) { realm in
      expectEqual(realm.objects(Old.Home.self).count, 2)
    }
    try file.migrate(New.types, to: 1) { migration, old in
      expectEqual(old, 0)
      migration.embedObjects(ofType: "Home", orphans: .delete)
    }
    try expectEqual(file.shown("Home", "name"), ["Oslo"])
  }
}
