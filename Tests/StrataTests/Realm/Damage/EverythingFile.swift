import Foundation
import GRDB
import Strata
import StrataTestKit

/// Classes that together have everything that a file can contain.
enum Full {
  final class Thing: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var number: Int?
    @Persisted var flag = false
    @Persisted var ratio = 0.0
    @Persisted var small: Float = 0
    @Persisted var data = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var dateOptional: Date?
    @Persisted var uuid = UUID()
    @Persisted var objectId = ObjectId.generate()
    @Persisted var price = Decimal128(value: 0)
    @Persisted var note: AnyRealmValue
    @Persisted var friend: Thing?
    @Persisted var home: Place?
    @Persisted var friends: List<Thing>
    @Persisted var places: List<Place>
    @Persisted var words: List<String>
    @Persisted var numbers: MutableSet<Int?>
    @Persisted(indexed: true) var tags: MutableSet<String>
    @Persisted var notes: List<AnyRealmValue>
    @Persisted var byRole: Map<String, Thing?>
    @Persisted var scores: Map<String, Int>
  }

  final class Place: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var visits: List<Date>
  }
}

/// A good file with objects of ``Full``, whose content is known.
enum EverythingFile {
  static let types: [ObjectBase.Type] = [Full.Thing.self, Full.Place.self]

  static func make(in folder: TestFolder, objects: Int = 12) throws {
    try folder.write(types) { realm in
      for id in 1...objects { realm.add(thing(id)) }
      let things = Array(realm.objects(Full.Thing.self))
      for (index, thing) in things.enumerated() { link(thing, to: things, index) }
    }
  }

  private static func thing(_ id: Int) -> Full.Thing {
    let thing = Full.Thing()
    thing.id = id
    thing.name = "thing \(id)" + String(repeating: " and more", count: id)
    thing.number = id % 3 == 0 ? nil : id
    thing.flag = id % 2 == 0
    thing.ratio = Double(id) / 3
    thing.small = Float(id) / 4
    thing.data = Data(repeating: UInt8(id), count: 10 * id)
    thing.date = Date(timeIntervalSince1970: Double(id) * 1_000_000)
    thing.dateOptional = id % 2 == 0 ? thing.date : nil
    thing.uuid = UUID(uuidString: "00000000-0000-0000-0000-0000000000\(10 + id)") ?? UUID()
    thing.objectId = ObjectId(
      timestamp: Date(timeIntervalSince1970: Double(id)), machineId: 1, processId: 1)
    thing.price = Decimal128(value: id)
    thing.note = [AnyRealmValue.int(id), .string("note"), .none, .double(0.5)][id % 4]
    thing.home = Full.Place(value: ["city": "city \(id)", "visits": [thing.date]])
    thing.places.append(Full.Place(value: ["city": "place \(id)"]))
    thing.words.append(objectsIn: ["b", "a", "word \(id)"])
    thing.numbers.insert(objectsIn: [nil, id])
    thing.tags.insert(objectsIn: ["x", "tag \(id)"])
    thing.notes.append(objectsIn: [.none, .bool(true), .date(thing.date)])
    thing.scores["one"] = id
    return thing
  }

  private static func link(_ thing: Full.Thing, to things: [Full.Thing], _ index: Int) {
    let next = things[(index + 1) % things.count]
    thing.friend = next
    thing.friends.append(objectsIn: [next, thing, next])
    thing.byRole["next"] = next
    thing.byRole["nobody"] = .some(nil)
    if index % 4 == 3 { thing.note = .object(next) }
  }

  /// Everything that a realm shows, as text; embedded objects as part of their parents.
  static func text(_ realm: Realm) -> [String] {
    realm.objects(Full.Thing.self).map { thing in
      let any: (AnyRealmValue) -> String = { value in
        value.object(Full.Thing.self).map { "thing \($0.id)" } ?? "\(value)"
      }
      let place: (Full.Place) -> String = { "\($0.city) \(Array($0.visits))" }
      let parts: [String] = [
        "\(thing.id) \(thing.name) \(String(describing: thing.number)) \(thing.flag)",
        "\(thing.ratio) \(thing.small) \(Array(thing.data)) \(thing.date)",
        "\(String(describing: thing.dateOptional)) \(thing.uuid) \(thing.objectId) \(thing.price)",
        any(thing.note), "\(thing.friend?.id ?? 0)", thing.home.map(place) ?? "nowhere",
        "\(thing.friends.map(\.id)) \(thing.places.map(place)) \(Array(thing.words))",
        "\(Array(thing.numbers)) \(Array(thing.tags)) \(thing.notes.map(any))",
        "\(thing.byRole.map { "\($0.key) \($0.value?.id ?? 0)" })",
        "\(thing.scores.map { "\($0.key) \($0.value)" })",
      ]
      return parts.joined(separator: " | ")
    }
  }

  /// The bytes of a good file, and of its WAL where it has one.
  struct Bytes: Sendable {
    var file: Data
    var log: Data?
    /// The contents of the file.
    var text: [String]

    func write(to folder: TestFolder) throws {
      try file.write(to: folder.file)
      try log?.write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
    }
  }

  /// A file whose log is empty, or one that was copied while its last changes were in the WAL only.
  static func bytes(hasLog: Bool) throws -> Bytes {
    let folder = try TestFolder()
    try make(in: folder)
    guard hasLog else {
      let text = try folder.open(types) { EverythingFile.text($0) }
      return Bytes(file: try Data(contentsOf: folder.file), log: nil, text: text)
    }
    return try folder.open(types) { realm in
      try realm.write {
        for thing in realm.objects(Full.Thing.self) { thing.words.append("in the WAL") }
      }
      return Bytes(
        file: try Data(contentsOf: folder.file),
        log: try Data(contentsOf: URL(fileURLWithPath: folder.file.path + "-wal")),
        text: text(realm))
    }
  }
}
