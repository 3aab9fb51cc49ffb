import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Objects in a `Set` and as keys of a `Dictionary`.
@Suite struct HashingTests {
  final class Photo: Object { @Persisted var name = "" }
  final class Song: Object { @Persisted(primaryKey: true) var id = 0 }
  final class Tune: Object {
    @Persisted(primaryKey: true) var name: String?
  }

  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: "\(UUID())", objectTypes: [Photo.self, Song.self, Tune.self]))
  }

  private func expectFound<T: Object>(
    _ objects: [T], after change: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    var set = Set(objects)
    var numbers = Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($1, $0) })
    try change()
    for (number, object) in objects.enumerated() {
      expectTrue(set.contains(object), sourceLocation: sourceLocation)
      expectEqual(numbers[object], number, sourceLocation: sourceLocation)
    }
    for _ in 0..<2 { set.formUnion(objects) }
    expectEqual(set.count, objects.count, sourceLocation: sourceLocation)
    for object in objects {
      set.remove(object)
      numbers[object] = nil
    }
    expectTrue(set.isEmpty && numbers.isEmpty, sourceLocation: sourceLocation)
  }

  private func songs() -> [Song] { (0..<100).map { Song(value: [$0]) } }

  @Test func `An object with a primary key is found after it was added, and after it was deleted`()
    throws
  {
    let songs = songs()
    try expectFound(songs) { try realm.write { realm.add(songs) } }
    try expectFound(songs) { try realm.write { realm.delete(songs) } }
    let tunes = [Tune(value: ["caf\u{e9}"]), Tune(value: ["cafe\u{301}"]), Tune()]
    try expectFound(tunes) { try realm.write { realm.add(tunes) } }
    try expectFound(tunes) { try realm.write { realm.deleteAll() } }
  }

  @Test func `An object without one is found after it was deleted, in each way`() throws {
    let deletions: [([Photo]) -> Void] = [
      { [realm] in for photo in $0 { realm.delete(photo) } },
      { [realm] in realm.delete($0) },
      { [realm] _ in realm.delete(realm.objects(Photo.self)) },
      { [realm] _ in for photo in Array(realm.objects(Photo.self)) { realm.delete(photo) } },
      { [realm] _ in realm.deleteAll() },
    ]
    for delete in deletions {
      let photos = (0..<100).map { Photo(value: ["\($0)"]) }
      try realm.write { realm.add(photos) }
      try expectFound(photos) { try realm.write { delete(photos) } }
    }
  }

  @Test func `It is found after a transaction that deleted it was taken back`() throws {
    let photos = (0..<10).map { Photo(value: ["\($0)"]) }
    try realm.write { realm.add(photos) }
    expectFound(photos) {
      realm.beginWrite()
      realm.delete(photos)
      realm.cancelWrite()
    }
    expectTrue(photos.allSatisfy { !$0.isInvalidated })
  }

  @Test func `Two instances of one object are equal, and have one hash`() throws {
    let (songs, photos) = (songs(), (0..<10).map { Photo(value: ["\($0)"]) })
    try realm.write {
      realm.add(songs)
      realm.add(photos)
    }
    for (instance, other) in zip(songs, realm.objects(Song.self)) {
      expectTrue(instance == other && instance.hashValue == other.hashValue)
    }
    for (instance, other) in zip(photos, realm.objects(Photo.self)) {
      expectTrue(instance == other && instance.hashValue == other.hashValue)
    }
    expectEqual(Set(realm.objects(Song.self)).union(songs).count, songs.count)
  }

  /// A class whose initializer asks for the hash of its object, as one that keeps it in a set does.
  final class Hashed: Object {
    @Persisted(primaryKey: true) var id = 0

    override init() {
      super.init()
      _ = hashValue
    }
  }

  @Test func `An initializer may hash its object`() {
    let objects = (0..<3).map { _ in Hashed() }
    expectTrue(Set(objects).count == 3 && Set(objects).contains(objects[1]))
  }

  @Test func `A deleted object that is added again is what the write throws`() throws {
    let song = Song(value: [1])
    try realm.write { realm.add(song) }
    try realm.write { realm.delete(song) }
    expectError("Object has been deleted or invalidated. ('Song')", code: .fail) {
      try realm.write { realm.add(song) }
    }
    expectTrue(realm.objects(Song.self).isEmpty)
  }
}
