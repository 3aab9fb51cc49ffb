import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct FullTextQueryTests {
  typealias Person = Texts.Searchable.Person

  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Person.self]))
    try realm.write {
      let ann = realm.create(
        Person.self, value: ["id": 1, "bio": "Swift is fast", "note": "Crème"])
      let bob = realm.create(
        Person.self, value: ["id": 2, "bio": "Java, compiled; and SWIFT", "friend": ann])
      realm.create(
        Person.self, value: ["id": 3, "bio": "", "note": "a compiler", "friends": [ann, bob]])
    }
  }

  private func ids(_ format: String) throws -> [Int] {
    try realm.objects(Person.self).filter(validating: format).map(\.id)
  }

  @Test(arguments: [
    ("bio TEXT 'swift'", [1, 2]), ("bio TEXT 'swift -java'", [1]), ("bio TEXT 'comp* swift'", [2]),
    ("bio TEXT 'comp'", []), ("note TEXT 'creme'", [1]), ("note TEXT 'CRÈME'", [1]),
    ("NOT note TEXT 'creme'", [2, 3]), ("NOT bio TEXT 'swift'", [3]), ("bio TEXT 'and'", [2]),
    ("bio TEXT 'swift' AND id > 1", [2]), ("bio TEXT 'java' OR note TEXT 'comp*'", [2, 3]),
    ("friend.bio TEXT 'fast'", [2]), ("NOT friend.bio TEXT 'fast'", [1, 3]),
    ("ANY friends.bio TEXT 'java'", [3]), ("NONE friends.bio TEXT 'java'", [1, 2]),
    ("ANY friends.friend.note TEXT 'creme'", [3]), ("ALL friends.bio TEXT 'swift'", [1, 2, 3]),
    ("SUBQUERY(friends, $f, $f.bio TEXT 'swift' AND $f.id > 1).@count == 1", [3]),
    ("SUBQUERY(friends, $f, $f.bio TEXT 'swift').@count > 1", [3]),
    ("id == 3 AND ANY friends.bio TEXT 'java'", [3]),
  ])
  func `Words are found in a file, and in memory`(format: String, expected: [Int]) throws {
    try expectEqual(ids(format), expected)
    let unmanaged = List<Person>()
    let copies = realm.objects(Person.self).map { person in
      Person(value: ["id": person.id, "bio": person.bio, "note": person.note as Any])
    }
    copies[1].friend = copies[0]
    copies[2].friends.append(objectsIn: [copies[0], copies[1]])
    unmanaged.append(objectsIn: copies)
    expectEqual(unmanaged.filter(format).map(\.id), expected)
  }

  @Test func `A closure finds words`() {
    let people = realm.objects(Person.self)
    expectEqual(people.where { $0.bio.text("swift -java") }.map(\.id), [1])
    expectEqual(
      people.where { !$0.note.text("creme") && $0.friend.bio.text("fast") }.map(\.id), [2])
    expectEqual(people.where { $0.friends.bio.text("java") }.map(\.id), [3])
  }

  @Test func `The words are live`() throws {
    let found = realm.objects(Person.self).where { $0.bio.text("swift") }
    expectEqual(found.count, 2)
    try realm.write {
      realm.object(ofType: Person.self, forPrimaryKey: 3)?.bio = "swiftly, swift"
      expectEqual(found.count, 3)
      found[0].bio = "slow"
      expectEqual(found.map(\.id), [2, 3])
      realm.delete(found)
      expectTrue(found.isEmpty)
    }
    expectEqual(realm.objects(Person.self).where { $0.bio.text("slow") }.map(\.id), [1])
    realm.beginWrite()
    realm.create(Person.self, value: ["id": 9, "bio": "swift"])
    expectEqual(found.count, 1)
    realm.cancelWrite()
    expectTrue(found.isEmpty)
    try realm.write { realm.deleteAll() }
    expectTrue(realm.objects(Person.self).where { $0.bio.text("slow") }.isEmpty)
  }

  @Test(arguments: [
    (
      "friend.bio TEXT 'c++'",
      "'c++' is no word of a full-text search: a word has letters and numbers only, perhaps with '-' "
        + "before it or '*' behind it. Leave out other signs, or put spaces in their place."
    ),
    (
      "bio TEXT[c] 'a'",
      "Operator 'TEXT' takes no '[c]' and '[d]': it regards neither case nor accents. Leave them out."
    ),
    (
      "bio TEXT note",
      "Operator 'TEXT' needs a text with words, such as 'swift -java comp*'. Pass a String."
    ),
    (
      "note TEXT nil",
      "Operator 'TEXT' needs a text with words, such as 'swift -java comp*'. Pass a String."
    ),
    ("id TEXT 'a'", "Operator 'TEXT' not supported for type 'int'."),
  ])
  func `A mistake is named`(format: String, message: String) {
    expectError(containing: message) { try ids(format) }
  }

  @Test func `A property without an index says how to get one`() throws {
    let other = try TestFolder()
    try other.open([Texts.Plain.Person.self]) { realm in
      expectError(
        containing: "'Person.bio' has no full-text index: declare it '@Persisted(fullText: true)'."
      ) {
        try realm.objects(Texts.Plain.Person.self).filter(validating: "bio TEXT 'a'")
      }
    }
  }
}
