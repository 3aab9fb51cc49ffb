import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The errors of `renameClass`.
@Suite("Errors of renaming a class")
struct RenameClassErrorTests {
  enum V0 {
    class Person: Object {
      @Persisted var name = ""
    }
    class Dog: Object {
      @Persisted var owner: Person?
      @Persisted var age = 0
    }
    class Cat: Object {
      @Persisted var age = 0
    }
  }

  enum V1 {
    class Human: Object {
      @Persisted var name = ""
    }
    class Dog: Object {
      @Persisted var owner: Human?
      @Persisted var age = 0
    }
    class Cat: Object {
      @Persisted var age = 0
    }
    static let types: [ObjectBase.Type] = [Human.self, Dog.self, Cat.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self, V0.Dog.self, V0.Cat.self]) { realm in
      realm.create(V0.Dog.self, value: ["owner": ["name": "Ada"]])
      realm.create(V0.Cat.self)
    }
  }

  enum Mistake: CaseIterable {
    case unknownSource, unknownTarget, targetInFile, sourceOfProgram, usedTarget, usedLinking
    case insideLoop, deleted, again

    func make(_ migration: Migration) {
      switch self {
      case .unknownSource: migration.renameClass(from: "Nobody", to: "Human")
      case .unknownTarget: migration.renameClass(from: "Person", to: "Folk")
      case .targetInFile: migration.renameClass(from: "Person", to: "Cat")
      case .sourceOfProgram: migration.renameClass(from: "Cat", to: "Human")
      case .usedTarget:
        migration.create("Human")
        migration.renameClass(from: "Person", to: "Human")
      case .usedLinking:
        migration.enumerateObjects(ofType: "Cat") { _, _ in }
        migration.enumerateObjects(ofType: "Dog") { _, _ in }
        migration.renameClass(from: "Person", to: "Human")
      case .insideLoop:
        migration.enumerateObjects(ofType: "Person") { _, _ in
          migration.renameClass(from: "Person", to: "Human")
        }
      case .deleted:
        migration.deleteData(forType: "Person")
        migration.renameClass(from: "Person", to: "Human")
      case .again:
        migration.renameClass(from: "Person", to: "Human")
        migration.renameClass(from: "Person", to: "Human")
      }
    }

    var message: String {
      let used =
        "before. Call 'renameClass' before anything else that concerns the class, or those that link "
        + "to it."
      let start = "Cannot rename class 'Person' to 'Human' because"
      return switch self {
      case .unknownSource:
        "Cannot rename class 'Nobody' to 'Human' because the file has no class 'Nobody'. "
          + "It has: Cat, Dog, Person."
      case .unknownTarget:
        "Cannot rename class 'Person' to 'Folk' because 'Folk' is not a class of the program. "
          + "It has: Cat, Dog, Human."
      case .targetInFile:
        "Cannot rename class 'Person' to 'Cat' because the file already has a class 'Cat'. Rename "
          + "that one first, or carry the objects over with 'enumerateObjects' and 'create'. Two "
          + "classes that exchange their names keep those of the file: override "
          + "'_realmObjectName()' in both."
      case .sourceOfProgram:
        "Cannot rename class 'Cat' to 'Human' because 'Cat' is still a class of the program. Remove "
          + "it from the program, or rename another class to it."
      case .usedTarget: "\(start) the block has used 'Human' \(used)"
      case .usedLinking: "\(start) the block has used 'Dog' \(used)"
      case .insideLoop: "\(start) the block has used 'Person' \(used)"
      case .deleted:
        "\(start) the block has deleted 'Person'. Leave out 'deleteData', or the rename."
      case .again: "\(start) the file has no class 'Person'. It has: Cat, Dog, Human."
      }
    }
  }

  @Test(arguments: Mistake.allCases)
  func `Each error has its text, and leaves the file as it was`(_ mistake: Mistake) throws {
    let error = try folder.expectUntouched(V1.types, version: 1) { migration, _ in
      mistake.make(migration)
    }
    expectEqual(error?.code, .fail)
    expectEqual(error?.message, mistake.message)
    // Nothing is left of it.
    try folder.open(V1.types, version: 1) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
    } _: { realm in
      expectEqual(realm.objects(V1.Dog.self).first?.owner?.name, "Ada")
    }
  }

  @Test func `A block that throws afterwards leaves everything as it was`() throws {
    struct Stop: Error {}
    _ = try folder.expectUntouched(V1.types, version: 1) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
      migration.enumerateObjects(ofType: "Human") { _, new in new!["name"] = "x" }
      throw Stop()
    }
    try folder.open([V0.Person.self, V0.Dog.self, V0.Cat.self]) { realm in
      expectEqual(realm.objects(V0.Dog.self).first?.owner?.name, "Ada")
    }
  }

  @Test func `A class whose name differs in case only is refused before the block`() throws {
    enum New {
      class Cat: Object {
        @Persisted var age = 0
        override class func className() -> String { "cat" }
      }
    }
    let error = try folder.expectUntouched([New.Cat.self], version: 1) { migration, _ in
      migration.renameClass(from: "Cat", to: "cat")
    }
    expectEqual(
      error?.message.contains(
        "Type 'cat' differs only in case from 'Cat', which is in the file already. Keep that "
          + "name in the file: override '_realmObjectName()' to return 'Cat'."), true)
    // The repair of the error helps.
    enum Kept {
      class cat: Object {
        @Persisted var age = 0
        override class func _realmObjectName() -> String? { "Cat" }
      }
    }
    try folder.open([Kept.cat.self], version: 1) { realm in
      expectEqual(realm.objects(Kept.cat.self).count, 1)
    }
  }

  @Test func `Two classes that exchange their names keep those of the file`() throws {
    enum Old {
      class Left: Object { @Persisted var name = "" }
      class Right: Object { @Persisted var name = "" }
    }
    enum New {
      class Left: Object {
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Right" }
      }
      class Right: Object {
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Left" }
      }
    }
    let folder = try TestFolder()
    try folder.write([Old.Left.self, Old.Right.self]) { realm in
      realm.create(Old.Left.self, value: ["left"])
      realm.create(Old.Right.self, value: ["right"])
    }
    try folder.open([New.Left.self, New.Right.self], version: 1) { realm in
      expectEqual(realm.objects(New.Left.self).map(\.name), ["right"])
      expectEqual(realm.objects(New.Right.self).map(\.name), ["left"])
    }
  }
}
