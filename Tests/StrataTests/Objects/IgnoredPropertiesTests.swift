import Strata
import StrataTestKit
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
      #expect(draft.note == "changed" && draft.count == 8 && draft.other === other)
      #expect(Array(draft.tags) == ["x"] && draft.anything == .int(8))
      try realm.write { change(9) }
      #expect(draft.count == 9 && draft.other === other && draft.tags.count == 2)
      #expect(draft.anything == .int(9))
      try realm.write { draft.title = "B" }
      #expect(draft.title == "B" && draft.note == "changed")
      #expect(realm.objects(Draft.self).first?.count == 7)
    }
  }
}
