import Foundation
import GRDB
import Strata
import StrataTestKit

@testable import StrataStudio

/// A file with each type of property, opened without its classes.
enum Zoo {
  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var age: Int?
    @Persisted var weight = 0.0
    @Persisted var share: Float?
    @Persisted var isHere = false
    @Persisted var born: Date?
    @Persisted var badge: UUID?
    @Persisted var code: ObjectId?
    @Persisted var salary: Decimal128?
    @Persisted var photo: Data?
    @Persisted var note: AnyRealmValue
    @Persisted var favourite: Animal?
    @Persisted var animals: List<Animal>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var home: Home?
  }

  final class Animal: Object {
    @Persisted var name = ""
    @Persisted var mother: Animal?
  }

  final class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var rooms: List<Room>
  }

  final class Room: EmbeddedObject {
    @Persisted var size = 0
  }

  static let types: [ObjectBase.Type] = [Keeper.self, Animal.self, Home.self, Room.self]

  /// The properties of a keeper, in their order.
  static let names = [
    "id", "name", "age", "weight", "share", "isHere", "born", "badge", "code", "salary", "photo",
    "note", "favourite", "animals", "tags", "scores", "home",
  ]

  static let uuid = UUID(uuidString: "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD")!

  /// Two keepers: one with everything, one with nothing.
  static func fill(_ realm: Realm) throws {
    try realm.write {
      let rex = realm.create(Animal.self, value: ["name": "Rex"])
      let max = realm.create(Animal.self, value: ["name": "Max", "mother": rex])
      let ada = realm.create(Keeper.self, value: ["id": 7, "name": "Ada", "age": 36])
      ada.weight = 61.5
      ada.share = 0.1
      ada.isHere = true
      ada.born = Date(timeIntervalSince1970: 0)
      ada.badge = uuid
      ada.code = ObjectId("6058f12b957ba06156586a7c")
      ada.salary = "1.50"
      ada.photo = Data([0x89, 0x50, 0x4E, 0x47, 0, 1])
      ada.note = .object(rex)
      ada.favourite = max
      ada.animals.append(objectsIn: [rex, max, rex])
      ada.tags.insert("go")
      ada.scores["chess"] = 7
      ada.home = Home(value: ["street": "Main", "rooms": [["size": 12]]])
      realm.create(Keeper.self, value: ["id": 8])
    }
  }

  static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.open(types) { try fill($0) }
    return folder
  }

  static func reader(_ folder: TestFolder) -> FileReader {
    var configuration = Realm.Configuration(fileURL: folder.file, readOnly: true)
    configuration.dynamicClasses = .all
    // The tests write as other programs do, with connections of their own.
    return FileReader(configuration, name: "test")
  }
}
