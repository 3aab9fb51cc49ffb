import Foundation
import RealmSwift
import Testing

/// Names that begin with the name of the module, as programs write them beside SwiftUI's `List`.
final class Shelf: RealmSwift.Object {
  @Persisted var books: RealmSwift.List<String>
  @Persisted var lent: RealmSwift.Map<String, Bool>
}

@Suite struct QualifiedNamesTests {
  @Test func `Names with the module of RealmSwift are those of the library`() throws {
    let file = ProgramFile()
    let realm = try RealmSwift.Realm(
      configuration: RealmSwift.Realm.Configuration(fileURL: file.url, objectTypes: [Shelf.self]))
    try realm.write { realm.add(Shelf(value: ["books": ["Emma", "Ulysses"]])) }
    let shelves: RealmSwift.Results<Shelf> = realm.objects(Shelf.self)
    #expect(shelves.first.map { Array($0.books) } == ["Emma", "Ulysses"])
  }
}
