import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Models of files that the tests open again without them.
enum Known {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var walked: MutableSet<Dog>
    @Persisted var byName: Map<String, Dog?>
    @Persisted var favourite: Dog?
    @Persisted var tags: List<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var note: AnyRealmValue
    override class func compoundIndexes() -> [[String]] { [["name", "id"]] }
  }

  final class Dog: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var age: Int?
    @Persisted var owner: Owner?
    @Persisted var mother: Dog?
    @Persisted(fullText: true) var story = ""
  }

  final class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var neighbour: Owner?
  }

  static let types: [ObjectBase.Type] = [Owner.self, Dog.self, Home.self]

  static func fill(_ realm: Realm) throws {
    try realm.write {
      let ada = realm.create(Owner.self, value: ["id": 1, "name": "Ada"])
      let rex = realm.create(Dog.self, value: ["name": "Rex", "age": 3, "story": "Likes the sea"])
      let max = realm.create(Dog.self, value: ["name": "Max", "mother": rex])
      rex.owner = ada
      ada.dogs.append(objectsIn: [rex, max, rex])
      ada.walked.insert(max)
      ada.byName["r"] = rex
      ada.byName["none"] = .some(nil)
      ada.favourite = max
      ada.tags.append("go")
      ada.scores["chess"] = 7
      ada.home = Home(value: ["street": "Main", "neighbour": ada])
      ada.homes.append(Home(value: ["street": "Side"]))
      ada.note = .object(rex)
    }
  }
}

@Suite struct DynamicRealmTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.open(Known.types, version: 3) { try Known.fill($0) }
  }

  private func configuration(
    _ dynamic: DynamicClasses = .all, _ types: [ObjectBase.Type]? = nil, version: UInt64 = 0
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.file, schemaVersion: version, objectTypes: types)
    configuration.dynamicClasses = dynamic
    return configuration
  }

  private func open() throws -> Realm { try Realm(configuration: configuration()) }

  // MARK: Reading

  @Test func `A program without classes reads the classes of the file`() throws {
    let realm = try open()
    expectEqual(realm.schema.objectSchema.map(\.className), ["Dog", "Home", "Owner"])
    expectEqual(realm.schema["Owner"]?.primaryKey, "id")
    expectEqual(realm.schema["Owner"]?.compoundIndexes, [["name", "id"]])
    expectEqual(realm.schema["Home"]?.isEmbedded, true)
    let ada = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
    expectEqual(ada["name"] as? String, "Ada")
    expectEqual(ada.dynamicList("dogs").map { $0["name"] as? String }, ["Rex", "Max", "Rex"])
    expectEqual(ada.dynamicMutableSet("walked").map { $0["name"] as? String }, ["Max"])
    let byName = ada.dynamicMap("byName")
    expectEqual(byName.keys, ["none", "r"])
    expectEqual((byName["r"] ?? nil)?["age"] as? Int, 3)
    expectNil((byName["none"] ?? nil))
    expectEqual((ada["tags"] as? List<String>).map { Array($0) }, ["go"])
    expectEqual((ada["scores"] as? Map<String, Int>)?["chess"], 7)
    let home = DynamicObject(showing: try #require(ada["home"] as? ObjectBase))
    expectEqual(home["street"] as? String, "Main")
    expectEqual(ada.value(forKeyPath: "home.neighbour.name") as? String, "Ada")
    expectEqual(ada.value(forKeyPath: "favourite.mother.name") as? String, "Rex")
    expectNil(ada.value(forKeyPath: "favourite.age"))
  }

  @Test func `An object in a value is read by names`() throws {
    let realm = try open()
    let ada = try #require(realm.dynamicObjects("Owner").first)
    let note = try #require(ada["note"] as? Object)
    expectEqual(note["name"] as? String, "Rex")
    expectEqual(AnyRealmValue.object(note).dynamicObject?["name"] as? String, "Rex")
    expectNil(AnyRealmValue.int(1).dynamicObject)
  }

  @Test func `Conditions find objects behind links, lists and indexes`() throws {
    let realm = try open()
    func names(_ format: String) -> [String?] {
      realm.dynamicObjects("Dog").filter(format).map { $0["name"] as? String }
    }
    expectEqual(names("age > 2"), ["Rex"])
    expectEqual(names("mother.name == 'Rex' AND age == nil"), ["Max"])
    expectEqual(names("owner.dogs.@count == 3"), ["Rex"])
    expectEqual(names("story TEXT 'sea'"), ["Rex"])
    let owners = realm.dynamicObjects("Owner")
    expectEqual(owners.filter("ANY dogs.name BEGINSWITH 'M'").count, 1)
    expectEqual(owners.filter("note == %@", realm.dynamicObjects("Dog")[0]).count, 1)
    expectEqual(owners.filter("home.street == 'Main' AND ANY homes.street == 'Side'").count, 1)
    expectEqual(owners.filter("ANY byName.age == 3").count, 1)
    expectEqual(owners.filter("favourite == %@", realm.dynamicObjects("Dog")[1]).count, 1)
    let sorted = realm.dynamicObjects("Dog").sorted(byKeyPath: "name", ascending: false)
    expectEqual(sorted.map { $0["name"] as? String }, ["Rex", "Max"])
    expectEqual(realm.dynamicObjects("Dog").max(ofProperty: "age") as Int?, 3)
  }

  @Test func `A wrong condition is told without asking it`() throws {
    let realm = try open()
    expectNil(realm.problem(inFilter: "age > 2", of: "Dog"))
    let problem = try #require(realm.problem(inFilter: "agee > 2", of: "Dog"))
    expectEqual(problem.code, .fail)
    expectTrue(problem.message.contains("Did you mean 'age'?"))
    expectEqual(realm.problem(inFilter: "age >", of: "Dog")?.message.contains("column"), true)
    expectEqual(realm.problem(inFilter: "age > 2", of: "Cat")?.message.contains("Cat"), true)
  }

  @Test func `The links to an object are known`() throws {
    let realm = try open()
    let rex = try #require(realm.dynamicObjects("Dog").filter("name == 'Rex'").first)
    let links = rex.incomingLinks.map { "\($0.className).\($0.propertyName) \($0.objects.count)" }
    expectEqual(
      links,
      [
        "Dog.mother 1", "Owner.dogs 2", "Owner.walked 0", "Owner.byName 1", "Owner.favourite 0",
      ])
    let ada = try #require(realm.dynamicObjects("Owner").first)
    expectEqual(ada.incomingLinks.map(\.propertyName), ["owner", "neighbour"])
    expectEqual(ada.incomingLinks.map(\.objects.count), [1, 1])
  }

  @Test func `An object is found by its row`() throws {
    let realm = try open()
    let rex = try #require(realm.dynamicObject(ofType: "Dog", identity: 1))
    expectEqual(rex["name"] as? String, "Rex")
    expectEqual(rex.identity, 1)
    expectNil(realm.dynamicObject(ofType: "Dog", identity: 99))
  }

  // MARK: Writing

  @Test func `Objects are made, changed and deleted`() throws {
    let realm = try open()
    try realm.write {
      let bo = realm.dynamicCreate(
        "Owner",
        value: [
          "id": 2, "name": "Bo", "dogs": [["name": "New"]], "favourite": ["name": "Own", "age": 1],
          "byName": ["n": ["name": "In map"]], "walked": [["name": "In set"]],
          "home": ["street": "Long"], "tags": ["a", "b"], "scores": ["go": 1],
        ])
      expectEqual(bo.dynamicList("dogs").count, 1)
      let rex = try #require(realm.dynamicObject(ofType: "Dog", identity: 1))
      bo.dynamicList("dogs").append(rex)
      bo["note"] = rex
      rex["owner"] = bo
      rex["age"] = nil
    }
    let bo = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 2))
    expectEqual(bo.dynamicList("dogs").map { $0["name"] as? String }, ["New", "Rex"])
    expectEqual(bo.value(forKeyPath: "favourite.age") as? Int, 1)
    try realm.write {
      realm.delete(try #require(realm.dynamicObject(ofType: "Dog", identity: 1)))
    }
    expectEqual(bo.dynamicList("dogs").map { $0["name"] as? String }, ["New"])
    expectNil(bo["note"])
    try expectEqual(folder.texts("SELECT count(*) FROM Home"), ["3"])
    try realm.write { realm.delete(bo) }
    try expectEqual(folder.texts("SELECT count(*) FROM Home"), ["2"])
  }

  @Test func `A value that doesn't fit is refused as in a program with the classes`() throws {
    let realm = try open()
    let rex = try #require(realm.dynamicObjects("Dog").first)
    let ada = realm.dynamicObjects("Owner")[0]
    for (text, change): (String, () -> Void) in [
      (
        "Invalid value 'old' of type 'String' for 'int?' property 'Dog.age'.",
        { realm.dynamicCreate("Dog", value: ["age": "old"]) }
      ),
      (
        "Attempting to create an object of type 'Owner' with an existing primary key value '1'. "
          + "Use 'update: .modified' to change the object that has it.",
        { realm.dynamicCreate("Owner", value: ["id": 1]) }
      ),
    ] { expectError(text) { try realm.write(change) } }
    for (text, change): (String, () -> Void) in [
      ("Owner", { rex["owner"] = rex }), ("Dog", { ada.dynamicList("dogs").append(ada) }),
      ("Cat", { realm.dynamicCreate("Cat") }),
    ] { expectError(containing: text) { try realm.write(change) } }
    expectError { try realm.write { realm.dynamicCreate("Home", value: ["street": "Alone"]) } }
    expectEqual(realm.dynamicObjects("Dog").count, 2)
  }

  @Test func `Changes are observed, and objects are frozen and handed over`() async throws {
    let realm = try open()
    let dogs = realm.dynamicObjects("Dog").sorted(byKeyPath: "name")
    let frozen = dogs.freeze()
    let reference = ThreadSafeReference(to: dogs)
    let configuration = configuration()
    var names: [String] = []
    let token = dogs[0].observe { change in
      if case .change(let object, let properties) = change {
        names.append("\(object["name"] ?? "") \(properties.map(\.name))")
      }
    }
    let file = folder.file.path
    let count = try await Task.detached { () -> Int? in
      let other = try Realm(configuration: configuration)
      let dogs = try #require(other.resolve(reference))
      try other.write { dogs[0]["name"] = "Anna" }
      expectEqual(file, other.configuration.fileURL?.path)
      return dogs.count
    }.value
    expectEqual(count, 2)
    realm.refresh()
    expectEqual(dogs[0]["name"] as? String, "Anna")
    expectEqual(frozen[0]["name"] as? String, "Max")
    expectEqual(frozen[0].realm?.configuration.dynamicClasses, .all)
    token.invalidate()
  }

  // MARK: The life of the file

  @Test func `The file stays as it is, and classes are made once`() throws {
    let before = try folder.texts(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    let versions = try folder.texts("SELECT count(*) FROM strata_schema_version")
    var types: Set<ObjectIdentifier> = []
    for _ in 0..<50 {
      let realm = try open()
      let rex = try #require(realm.dynamicObjects("Dog").first?.object)
      types.insert(ObjectIdentifier(type(of: rex)))
    }
    expectEqual(types.count, 1)
    try expectEqual(
      folder.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"), before)
    try expectEqual(folder.texts("SELECT count(*) FROM strata_schema_version"), versions)
    try folder.open(Known.types, version: 3) { expectEqual($0.objects(Known.Dog.self).count, 2) }
  }

  @Test func `A realm that is only read has the classes, too`() throws {
    var configuration = configuration()
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.dynamicObjects("Dog").count, 2)
  }

  @Test func `Triggers that another program dropped are made again`() throws {
    let names = "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
    let before = try folder.texts(names)
    expectFalse(before.isEmpty)
    try folder.execute("DROP TRIGGER \"\(before[0])\"")
    try expectEqual(open().dynamicObjects("Owner").count, 1)
    try expectEqual(folder.texts(names), before)
  }

  @Test func `After a migration by another one the realm has the new classes`() throws {
    do {
      let realm = try open()
      expectTrue(realm.schema["Dog"]?["age"] != nil)
    }
    final class Dog: Object {
      @Persisted var name = ""
      @Persisted var weight = 1.5
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    try folder.open([Dog.self], version: 4) { _ in }
    let realm = try open()
    expectNil(realm.schema["Dog"]?["age"])
    expectEqual(realm.dynamicObjects("Dog").first?["weight"] as? Double, 1.5)
  }

  @Test func `A file is open with one set of classes`() throws {
    let realm = try open()
    #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: folder.configuration(Known.types, version: 3))
    }
    expectError(containing: "already opened with different set of classes") {
      try Realm(configuration: configuration(.others, Known.types, version: 3))
    }
    try expectEqual(Realm(configuration: configuration()), realm)
  }

  @Test func `A file that isn't there is not made`() throws {
    let folder = try TestFolder()
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    expectError(code: .fileNotFound) { try Realm(configuration: configuration) }
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
    expectTrue(FileManager.default.createFile(atPath: folder.file.path, contents: Data()))
    expectError(code: .invalidDatabase) { try Realm(configuration: configuration) }
  }

  @Test func `Settings that need classes of the program are refused`() throws {
    let rest =
      "when `dynamicClasses` is `.all`: the classes are those of the file, and nothing is created or "
      + "migrated."
    for (setting, change): (String, (inout Realm.Configuration) -> Void) in [
      ("schemaVersion", { $0.schemaVersion = 3 }), ("objectTypes", { $0.objectTypes = [] }),
      ("migrationBlock", { $0.migrationBlock = { _, _ in } }),
      ("deleteRealmIfMigrationNeeded", { $0.deleteRealmIfMigrationNeeded = true }),
      ("seedFilePath", { $0.seedFilePath = folder.file }),
      ("inMemoryIdentifier", { $0.inMemoryIdentifier = "a" }),
      ("convertsRealmFile", { $0.convertsRealmFile = .automatically(from: folder.file) }),
    ] {
      var configuration = configuration()
      change(&configuration)
      expectError("Cannot set `\(setting)` \(rest)") { try Realm(configuration: configuration) }
    }
  }

  @Test func `A forecast has nothing to do`() throws {
    let forecast = try Realm.migrationForecast(for: configuration())
    expectEqual(forecast.outcome, .nothing)
    expectEqual(forecast.to, 3)
  }

  @Test func `The description names the setting`() {
    expectTrue("\(configuration())".hasSuffix("objectTypes: all, dynamicClasses: all)"))
  }

  @Test func `A process can't make classes without end`() throws {
    let schema = Schema([ObjectSchema(className: "Endless", properties: [])])
    do throws(RealmError) {
      _ = try DynamicClassMaker.types(for: schema, limit: 0)
      Issue.record("It was made.")
    } catch {
      expectEqual(
        error.message,
        "This process has opened 0 different dynamic classes, and can't make more. Start it again."
      )
    }
  }
}
