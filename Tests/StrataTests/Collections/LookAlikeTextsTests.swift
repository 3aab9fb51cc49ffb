import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Texts that are equal in Swift but have other bytes, such as file names from macOS and other
/// systems: they are two values.
@Suite struct LookAlikeTextsTests {
  final class Photo: Object {
    @Persisted(primaryKey: true) var file = ""
    @Persisted var size = 0
  }
  final class Album: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var cover: Photo?
    @Persisted var photos: List<Photo>
    @Persisted var photoSet: MutableSet<Photo>
    @Persisted var byName: Map<String, Photo?>
  }
  final class Folder: Object {
    @Persisted var sizes: Map<String, Int>
    @Persisted var anys: Map<String, AnyRealmValue>
    @Persisted var photos: Map<String, Photo?>
    @Persisted var names: MutableSet<String>
    @Persisted var optionalNames: MutableSet<String?>
    @Persisted var list: List<String>
    @Persisted var any: AnyRealmValue
  }

  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"
  private static let both = [decomposed, composed]

  private let realm: Realm
  private let other: Realm

  init() throws {
    func open(_ name: String) throws -> Realm {
      try Realm(
        configuration: .init(
          inMemoryIdentifier: "\(name) \(UUID())",
          objectTypes: [Photo.self, Album.self, Folder.self]))
    }
    realm = try open("one")
    other = try open("other")
  }

  @Test func `Swift takes them for equal`() { expectEqual(Self.composed, Self.decomposed) }

  @Test(arguments: [Realm.UpdatePolicy.error, .modified, .all])
  func `Two keys in one value are two objects`(policy: Realm.UpdatePolicy) throws {
    let photos = [["file": Self.composed, "size": 1], ["file": Self.decomposed, "size": 2]]
    let value: [String: Any] = ["id": 1, "cover": photos[0], "photos": [photos[1]]]
    let list: [String: Any] = ["id": 1, "photos": photos]
    let set: [String: Any] = ["id": 1, "photoSet": photos]
    let map: [String: Any] = ["id": 1, "byName": ["a": photos[0], "b": photos[1]]]
    for value in [value, list, set, map] {
      for isAdded in [false, true] {
        try realm.write {
          realm.deleteAll()
          if isAdded {
            realm.add(Album(value: value), update: policy)
          } else {
            realm.create(Album.self, value: value, update: policy)
          }
        }
        let found = realm.objects(Photo.self).sorted(by: \.size)
        expectEqual(found.map { "\($0.file.utf8.count) \($0.size)" }, ["5 1", "6 2"])
      }
    }
  }

  private func fill(_ folder: Folder) {
    for (number, text) in Self.both.enumerated() {
      folder.sizes[text] = number
      folder.anys[text] = .int(number)
      folder.photos[text] = Photo(value: ["\(number)", number])
      folder.names.insert(text)
      folder.optionalNames.insert(text)
      folder.list.append(text)
    }
    folder.optionalNames.insert(nil)
    folder.any = .fromDictionary([:])
    for text in Self.both { folder.any.dictionaryValue?[text] = .string(text) }
  }

  private func texts(_ folder: Folder) -> [String] {
    let entries = [
      folder.sizes.map { "\($0.key.utf8.count)=\($0.value)" },
      folder.anys.map { "\($0.key.utf8.count)=\($0.value.intValue ?? -1)" },
      folder.photos.map { "\($0.key.utf8.count)=\($0.value?.size ?? -1)" },
      folder.names.map { "\($0.utf8.count)" }.sorted(),
      folder.optionalNames.map { "\($0?.utf8.count ?? 0)" }.sorted(),
      folder.list.map { "\($0.utf8.count)" },
      folder.any.dictionaryValue?.map { "\($0.key.utf8.count)" } ?? [],
    ]
    return entries.map { $0.joined(separator: " ") }
  }

  private static let expected = ["6=0 5=1", "6=0 5=1", "6=0 5=1", "5 6", "0 5 6", "6 5", "6 5"]

  @Test func `Collections in memory have both, and hand on both`() throws {
    let folder = Folder()
    fill(folder)
    expectEqual(texts(folder), Self.expected)
    expectEqual(texts(Folder(value: folder)), Self.expected)
    expectTrue(folder.names.contains(Self.composed) && folder.sizes[Self.composed] == 1)
    expectEqual(folder.sizes[Self.decomposed], 0)
    expectEqual(folder.list.index(of: Self.composed), 1)
    folder.names.remove(Self.composed)
    folder.sizes[Self.composed] = nil
    expectTrue(folder.names.map(\.utf8.count) == [6] && !folder.names.contains(Self.composed))
    expectEqual(folder.sizes.map(\.key.utf8.count), [6])
    expectTrue(folder.names != Folder().names)
    try realm.write { realm.add(folder) }
    expectEqual(folder.names.map(\.utf8.count), [6])
  }

  @Test func `Copies to other realms and out of them have both`() throws {
    let folder = try realm.write {
      let folder = realm.create(Folder.self)
      fill(folder)
      return folder
    }
    expectEqual(texts(folder), Self.expected)
    expectEqual(texts(Folder(value: folder)), Self.expected)
    let read = realm.objects(Folder.self).values(\.any).all()
    expectEqual(read, [folder.any])
    func copy(_ value: Any) throws -> [String] {
      try other.write {
        other.deleteAll()
        return texts(other.create(Folder.self, value: value))
      }
    }
    try expectEqual(copy(folder), Self.expected)
    let values = Folder.sharedSchema()?.properties.map(\.name) ?? []
    let dictionary = Dictionary(uniqueKeysWithValues: values.map { ($0, folder[$0] as Any) })
    try expectEqual(copy(dictionary), Self.expected)
    expectEqual(texts(try realm.write { realm.create(Folder.self, value: folder) }), Self.expected)
    let shown = try other.write {
      other.deleteAll()
      return other.dynamicCreate("Folder", value: realm.dynamicObjects("Folder")[0])
    }
    expectEqual(texts(try #require(other.objects(Folder.self).first)), Self.expected)
    expectFalse(shown.isInvalidated)
  }

  @Test func `Values of any type are equal by their bytes`() {
    let (one, two) = (AnyRealmValue.string(Self.composed), AnyRealmValue.string(Self.decomposed))
    expectTrue(one != two && Set([one, two]).count == 2)
    expectTrue(AnyRealmValue.fromArray([one]) != .fromArray([two]))
    expectEqual(one, .string(Self.composed))
  }

  @Test func `A text that is replaced by its other form is told`() throws {
    let folder = try realm.write {
      let folder = realm.create(Folder.self)
      folder.list.append(Self.composed)
      folder.anys["a"] = .string(Self.composed)
      return folder
    }
    var heard: [String] = []
    let tokens = [
      folder.list.observe { if case .update = $0 { heard.append("list") } },
      folder.list.sorted().observe { if case .update = $0 { heard.append("sorted") } },
      folder.anys.observe { if case .update = $0 { heard.append("map") } },
    ]
    realm.refresh()
    try realm.write {
      folder.list[0] = Self.decomposed
      folder.anys["a"] = .string(Self.decomposed)
    }
    realm.refresh()
    expectEqual(heard.sorted(), ["list", "map", "sorted"])
    tokens.forEach { $0.invalidate() }
  }

  @Test func `Conditions on both are observed apart`() throws {
    var heard: [String] = []
    let tokens = Self.both.map { text in
      realm.objects(Photo.self).where { $0.file == text }.observe { change in
        guard case .update(_, _, let insertions, _) = change else { return }
        heard.append("\(text.utf8.count) \(insertions)")
      }
    }
    realm.refresh()
    try realm.write { realm.create(Photo.self, value: [Self.composed, 1] as [Any]) }
    realm.refresh()
    try realm.write { realm.create(Photo.self, value: [Self.decomposed, 1] as [Any]) }
    realm.refresh()
    expectEqual(heard, ["5 [0]", "6 [0]"])
    tokens.forEach { $0.invalidate() }
  }

  @Test func `Conditions and orders by both keys of a map are two`() throws {
    try realm.write {
      for text in Self.both {
        let folder = realm.create(Folder.self)
        folder.sizes[text] = 1
        folder.any = .fromDictionary([text: 1])
      }
    }
    let folders = realm.objects(Folder.self)
    for condition in ["sizes[%@] == 1", "#any[%@] == 1"] {
      let found = Self.both.map { folders.filter(condition, $0) }
      expectTrue(found[0] != found[1] && found[0] == folders.filter(condition, Self.decomposed))
      expectEqual(found.map { $0.map(\.self) }, [[folders[0]], [folders[1]]])
    }
    let sorted = Self.both.map { folders.sorted(byKeyPath: "sizes['\($0)']") }
    expectTrue(sorted[0] != sorted[1])
    expectEqual(sorted.map { $0.map(\.self) }, [[folders[1], folders[0]], Array(folders)])
  }

  @Test func `Lists in values of both keys are two lists`() throws {
    let folder = try realm.write {
      let folder = realm.create(Folder.self)
      for (number, text) in Self.both.enumerated() {
        folder.anys[text] = .fromArray([.int(number)])
      }
      let nested = Map<String, AnyRealmValue>()
      for (number, text) in Self.both.enumerated() { nested[text] = .fromArray([.int(number)]) }
      folder.any = .dictionary(nested)
      return folder
    }
    for map in [folder.anys, try #require(folder.any.dictionaryValue)] {
      // Holds both lists, because a list that was released is read again.
      let lists = Self.both.map { map[$0]?.listValue }
      expectEqual(lists.map { $0?.first }, [.int(0), .int(1)])
      expectTrue(lists[0] != lists[1] && map[Self.composed] != map[Self.decomposed])
      try realm.write { lists[1]?.append(.int(2)) }
      expectEqual(lists.map { $0?.count }, [1, 2])
      expectEqual(Self.both.map { map[$0]?.listValue?.count }, [1, 2])
    }
  }

  @Test(arguments: [false, true])
  func `Positions are those of the same bytes`(isInFile: Bool) throws {
    let folder = Folder()
    fill(folder)
    if isInFile { try realm.write { realm.add(folder) } }
    func expectFound(_ texts: [String?], _ position: (String) -> Int?) {
      let found = Self.both.map { text in position(text).map { texts[$0]?.utf8.count ?? 0 } }
      expectEqual(found, [6, 5])
    }
    for texts in [
      folder.list.sorted(), folder.list.sorted(ascending: false), folder.names.distinct(),
    ] {
      expectFound(Array(texts)) { texts.index(of: $0) }
      expectFound(Array(texts)) { texts.index(matching: "SELF == %@", $0) }
    }
    expectFound(Array(folder.names)) { folder.names.index(of: $0) }
    expectFound(Array(folder.names)) { folder.names.index(matching: "SELF == %@", $0) }
    expectFound(Array(folder.optionalNames)) { folder.optionalNames.index(of: $0) }
  }

  @Test func `Any kind of collection contains a text of the same bytes`() throws {
    let photos = [["file": Self.composed]]
    let album = Album(value: ["id": 1, "photos": photos] as [String: Any])
    let folder = Folder(value: ["list": [Self.composed], "names": [Self.composed]])
    try realm.write {
      realm.add(album)
      realm.add(folder)
    }
    func expectContained(_ texts: some RealmCollection<String>) {
      expectEqual(Self.both.map { texts.contains($0) }, [false, true])
      let any = AnyRealmCollection(texts)
      expectEqual(Self.both.map { any.contains($0) }, [false, true])
    }
    expectContained(folder.list)
    expectContained(folder.names)
    expectContained(folder.list.sorted())
    expectContained(Folder(value: folder).list)
    let files = album.photos.projectTo.file
    expectEqual(Self.both.map { files.contains($0) }, [false, true])
    let section = folder.list.sectioned(by: { $0.count })[0]
    expectEqual(Self.both.map { section.contains($0) }, [false, true])
    let photo = AnyRealmCollection(album.photos)
    expectEqual([album.photos[0], Photo()].map { photo.contains($0) }, [true, false])
  }

  @Test func `Distinct values by name are both`() throws {
    let album = Album(value: ["id": 1])
    for text in Self.both { album.photoSet.insert(Photo(value: ["file": text])) }
    try realm.write { realm.add(album) }
    expectEqual(album.photoSet.value(forKey: "file").count, 2)
    let found = album.photoSet.value(forKeyPath: "@distinctUnionOfObjects.file")
    expectEqual((found as? [Any?])?.count, 2)
    expectEqual(realm.objects(Photo.self).distinct(by: ["file"]).count, 2)
  }
}
