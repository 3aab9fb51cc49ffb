import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("`@Persisted` properties that `ignoredProperties()` keeps out of the file")
struct IgnoredPropertiesTests {
  final class Draft: Object {
    @Persisted var title = ""
    @Persisted var note = "new"
    @Persisted var count = 7
    @Persisted var other: Draft?
    @Persisted var tags: List<String>
    @Persisted var anything: AnyRealmValue
    override class func ignoredProperties() -> [String] {
      ["note", "count", "other", "tags", "anything"]
    }
  }

  @Test func `They are the program's own, also of an object in a file, with no transaction`() throws
  {
    try TestFolder().open([Draft.self]) { realm in
      try realm.write { realm.add(Draft(value: ["title": "A"])) }
      let draft = try #require(realm.objects(Draft.self).first)
      let other = Draft()
      func change(_ count: Int) {
        draft.note = "changed"
        draft.count = count
        draft.other = other
        draft.tags.append("x")
        draft.anything = .int(count)
      }
      change(8)
      expectTrue(draft.note == "changed" && draft.count == 8 && draft.other === other)
      expectTrue(Array(draft.tags) == ["x"] && draft.anything == .int(8))
      try realm.write { change(9) }
      expectTrue(draft.count == 9 && draft.other === other && draft.tags.count == 2)
      expectEqual(draft.anything, .int(9))
      try realm.write { draft.title = "B" }
      expectTrue(draft.title == "B" && draft.note == "changed")
      expectEqual(realm.objects(Draft.self).first?.count, 7)
    }
  }
}
