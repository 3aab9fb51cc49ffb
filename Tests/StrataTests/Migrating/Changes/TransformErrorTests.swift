import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// The errors of `transform`.
@Suite("Errors of transforming")
struct TransformErrorTests {
  enum V1 {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var score = 0.0
      @Persisted var friend: Person?
      @Persisted var years = 0
      var double: Int { age * 2 }
    }
    class Gone: Object {
      @Persisted var x = 0
    }
  }

  enum V2 {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = ""
      @Persisted var email = ""
      @Persisted var score = 0.0
      @Persisted var number = 0
      @Persisted var friend: Person?
      @Persisted var tags: List<String>
      @Persisted var ignored = 0
      var half: Int {
        get { number / 2 }
        set { number = newValue * 2 }
      }
      override class func ignoredProperties() -> [String] { ["ignored"] }
    }
    class Fresh: Object {
      @Persisted var x = 0
    }
    static let types: [ObjectBase.Type] = [Person.self, Fresh.self]
  }

  /// Classes that differ from the classes of the file and of the program.
  enum Wrong {
    class Person: Object {
      @Persisted var name: String?
      @Persisted var age = ""
      @Persisted var missing = 0
    }
    class Fresh: Object {
      @Persisted var x = 0
    }
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V1.Person.self, V1.Gone.self]) { realm in
      realm.create(V1.Person.self, value: ["name": "Ada", "age": 0, "email": "a@x"])
      for index in 1...12 {
        realm.create(
          V1.Person.self, value: ["name": "n", "age": Int.max, "score": Double(index)])
      }
    }
  }

  enum Mistake: CaseIterable {
    case unknownClass, newClass, removedClass, otherClass, wrongNewClass, loopBefore, createBefore
    case renameBefore, twice, insideLoop, unknownNew, unknownOld, unknownOldByName, wrongOldType
    case wrongOptional, types, result, collection, link, unset, description, computed, computedNew,
      constant
    case nils, overflow, zero, range

    func make(_ migration: Migration) {
      func set(_ name: String, _ value: (DynamicTransformSource) -> DynamicTransformValue) {
        migration.transform("Person") { old, new in new[name] = value(old) }
      }
      switch self {
      case .unknownClass: migration.transform("Nobody") { old, new in new["x"] = old["x"] }
      case .newClass: migration.transform("Fresh") { old, new in new["x"] = old["x"] }
      case .removedClass: migration.transform("Gone") { old, new in new["x"] = old["x"] }
      case .otherClass:
        migration.transform(V1.Person.self, V2.Fresh.self) { old, new in new.x = old.age }
      case .wrongNewClass:
        migration.transform(V1.Person.self, Wrong.Person.self) { old, new in new.age = old.name }
      case .loopBefore:
        migration.enumerateObjects(ofType: "Person") { _, _ in }
        set("age") { $0["age"].text }
      case .createBefore:
        migration.create("Person")
        set("age") { $0["age"].text }
      case .renameBefore:
        migration.renameProperty(onType: "Person", from: "years", to: "number")
        set("age") { $0["age"].text }
      case .twice:
        set("age") { $0["age"].text }
        set("number") { $0["age"] }
      case .insideLoop:
        migration.enumerateObjects(ofType: "Person") { _, _ in set("age") { $0["age"].text } }
      case .unknownNew: set("x") { $0["age"] }
      case .unknownOld:
        migration.transform(Wrong.Person.self, V2.Person.self) { old, new in
          new.number = old.missing
        }
      case .unknownOldByName: set("age") { $0["x"] }
      case .wrongOldType:
        migration.transform(Wrong.Person.self, V2.Person.self) { old, new in new.age = old.age }
      case .wrongOptional:
        migration.transform(Wrong.Person.self, V2.Person.self) { old, new in
          new.age = old.name ?? ""
        }
      case .types: set("age") { $0["name"] + $0["age"] }
      case .result: set("age") { $0["age"] }
      case .collection: set("tags") { $0["name"] }
      case .link: set("name") { $0["friend"] }
      case .unset: migration.transform("Person") { _, new in new["age"] = new["name"] }
      case .description:
        migration.transform(V1.Person.self, V2.Person.self) { old, new in
          new.age = old.description
        }
      case .computed:
        migration.transform(V1.Person.self, V2.Person.self) { old, new in new.number = old.double }
      case .computedNew:
        migration.transform(V1.Person.self, V2.Person.self) { old, new in new.half = old.age }
      case .constant: set("score") { _ in .value(Double.nan) }
      case .nils: set("email") { $0["email"] }
      case .overflow: set("number") { $0["age"] + 1 }
      case .zero: set("number") { 5 / $0["age"] }
      case .range: set("number") { ($0["score"] * 1e19).int }
      }
    }

    var message: String {
      let used =
        "Cannot transform 'Person': the block has used the class before. Call 'transform', once, "
        + "before anything else that touches it."
      let known = "It has: name, age, email, score, friend, years."
      let repair = "Give a value for this case with '.when', or use 'enumerateObjects'."
      return switch self {
      case .unknownClass:
        "Cannot transform 'Nobody': it is not a class of the program. It has: Fresh, Person."
      case .newClass:
        "Cannot transform 'Fresh': the file has no such class. It has: Gone, Person. Call "
          + "'renameClass' before if it has another name."
      case .removedClass:
        "Cannot transform 'Gone': it is not a class of the program. It has: Fresh, Person."
      case .otherClass:
        "Cannot transform 'Fresh': it is another class than 'Person' of the file. Call "
          + "'renameClass(from: \"Person\", to: \"Fresh\")' before."
      case .wrongNewClass:
        "Cannot transform 'Person': the program has another class of that name in its configuration. "
          + "Use that one on the right."
      case .loopBefore, .createBefore, .renameBefore, .twice, .insideLoop: used
      case .unknownNew:
        "Invalid property name 'x' for class 'Person'. It has: name, age, email, score, number, "
          + "friend, tags."
      case .unknownOld:
        "Cannot transform 'Person.number': the file has no property 'missing'. \(known)"
      case .unknownOldByName:
        "Cannot transform 'Person.age': the file has no property 'x'. \(known)"
      case .wrongOldType:
        "Cannot transform 'Person.age': 'age' is of type 'int' in the file, and of type 'string' in "
          + "the class that it is read as. Use the class as it was when the file was written."
      case .wrongOptional:
        "Cannot transform 'Person.age': 'name' is of type 'string' in the file, and of type 'string?' "
          + "in the class that it is read as. Use the class as it was when the file was written."
      case .types:
        "Cannot transform 'Person.age': '+' can't be used with 'string' and 'int'. It takes two texts, "
          + "or two numbers of one type. Convert one of them with '.text', '.int' or '.double'."
      case .result:
        "Cannot transform 'Person.age': its expression is of type 'int', and the property of type "
          + "'string'. Convert it with '.text', '.int' or '.double', or use 'enumerateObjects'."
      case .collection:
        "Cannot transform 'Person.tags': an expression can't be of type 'array<string>'. Use "
          + "'enumerateObjects'."
      case .link:
        "Cannot transform 'Person.name': 'friend' is of type '<Person>', which an expression can't "
          + "read. Use 'enumerateObjects', or 'renameProperty' for another name."
      case .unset:
        "Cannot transform 'Person.age': 'name' is read on the new side, where it has no value yet. "
          + "Read a property of the old side."
      case .description, .computed:
        "Cannot transform 'Person.\(self == .computed ? "number" : "age")': the expression "
          + "reads something that is not a '@Persisted' property of the old class. Use the properties "
          + "that it is computed from."
      case .computedNew:
        "Cannot transform 'Person': the closure sets a property of the new class that is not "
          + "'@Persisted'. Set the persisted properties from which it is computed."
      case .constant:
        "Cannot transform 'Person.score': a constant can't be stored: SQLite has no NaN, and dates are "
          + "in the years 0000 to 9999. Use another one, or nil."
      case .nils:
        "Cannot transform 'Person.email': it is required, and becomes nil for 12 objects (_id 2, "
          + "3, 4, 5, 6, 7, 8, 9, 10, 11, …). Give a value for nil with '??', or make the property "
          + "optional."
      case .overflow:
        "Cannot transform 'Person.number': 9223372036854775807 + 1 is out of the range of Int. "
          + repair
      case .zero: "Cannot transform 'Person.number': 5 / 0 has no value. \(repair)"
      case .range: "Cannot transform 'Person.number': 1e+19 is out of the range of Int. \(repair)"
      }
    }
  }

  @Test(arguments: Mistake.allCases)
  func `Each error has its text, and leaves the file as it was`(_ mistake: Mistake) throws {
    let error = try folder.expectUntouched(V2.types, version: 1) { migration, _ in
      mistake.make(migration)
    }
    expectEqual(error?.code, .fail)
    expectEqual(error?.message, mistake.message)
  }

  @Test func `The errors are the same in place, where no table is rebuilt`() throws {
    enum V3 {
      class Person: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var email: String?
        @Persisted var score = 0.0
        @Persisted var friend: Person?
        @Persisted var label = ""
      }
    }
    for (block, message): (MigrationBlock, String) in [
      (
        { migration, _ in
          migration.transform("Person") { old, new in new["label"] = old["name"] + old["email"] }
        },
        "Cannot transform 'Person.label': it is required, and becomes nil for 12 objects (_id 2, "
          + "3, 4, 5, 6, 7, 8, 9, 10, 11, …). Give a value for nil with '??', or make the property "
          + "optional."
      ),
      (
        { migration, _ in
          migration.transform(V1.Person.self, V3.Person.self) { old, new in
            new.label = old.name
            new.age = old.age * 2
          }
        },
        "Cannot transform 'Person.age': 9223372036854775807 * 2 is out of the range of Int. Give a "
          + "value for this case with '.when', or use 'enumerateObjects'."
      ),
    ] {
      let error = try folder.expectUntouched([V3.Person.self], version: 1, block)
      expectEqual(error?.message, message)
    }
  }

  @Test func `A property that gets a default for each object must be set if it is read`() throws {
    enum V3 {
      class Person: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var email = UUID().uuidString
        @Persisted var label = ""
      }
    }
    let error = try folder.expectUntouched([V3.Person.self], version: 1) { migration, _ in
      migration.transform("Person") { old, new in new["label"] = old["email"] ?? "none" }
    }
    expectEqual(
      error?.message,
      "Cannot transform 'Person': 'email' is read, and gets a default for each object that has "
        + "none. Set it in the same 'transform' as well.")
    try folder.open([V3.Person.self], version: 1) { migration, _ in
      migration.transform("Person") { old, new in
        new["label"] = old["email"] ?? "none"
        new["email"] = old["email"] ?? old["name"]
      }
    } _: { realm in
      expectEqual(realm.objects(V3.Person.self).prefix(2).map(\.label), ["a@x", "none"])
      expectEqual(realm.objects(V3.Person.self).prefix(2).map(\.email), ["a@x", "n"])
    }
  }

  @Test func `An error of the closure reaches the caller, and nothing was done`() throws {
    struct Stop: Error {}
    let before = try folder.dump()
    #expect(throws: Stop.self) {
      try folder.open(V2.types, version: 1) { migration, _ in
        try migration.transform("Person") { _, _ in throw Stop() }
      } _: { _ in
      }
    }
    try expectEqual(folder.dump(), before)
  }
}
