import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The conversions and comparisons in the closure of `transform`.
@Suite struct TransformConversionTests {
  enum Kind: String, PersistableEnum { case cat, dog }

  @Test func `Values are converted and compared by their types`() throws {
    enum Before {
      class Item: Object {
        @Persisted var number = 7
        @Persisted var ratio = 2.75
        @Persisted var isOn = true
        @Persisted var word = "12"
        @Persisted var kind = Kind.dog
        @Persisted var count: Int? = 5
        @Persisted var share: Double? = -1.5
        @Persisted var flag: Bool?
        @Persisted var note: String? = "x"
      }
    }
    enum After {
      class Item: Object {
        @Persisted var half = 0.0
        @Persisted var same = 0.0
        @Persisted var whole = 0
        @Persisted var exact = 0
        @Persisted var one = 0
        @Persisted var twelve: Int?
        @Persisted var raw = ""
        @Persisted var text: String?
        @Persisted var five: Double?
        @Persisted var part: Int?
        @Persisted var unknown: Int? = 1
        @Persisted var unread: Int? = 1
        @Persisted var shout = ""
        @Persisted var truths = ""
      }
    }
    let folder = try TestFolder()
    try folder.write([Before.Item.self]) { $0.create(Before.Item.self) }
    try folder.open([After.Item.self], version: 1) { migration, _ in
      migration.transform(Before.Item.self, After.Item.self) { old, new in
        new.half = old.number.double - 0.5
        new.same = old.ratio.double
        new.whole = old.ratio.int
        new.exact = old.number.int
        new.one = old.isOn.int
        new.twelve = old.word.int
        new.raw = old.kind.rawValue
        new.text = old.count.text
        new.five = old.count.double
        new.part = old.share.int
        new.unknown = old.flag.int
        new.unread = old.note.int
        new.shout = old.word
        new.shout = new.shout + "!"
        new.truths =
          .when(old.number == 7, then: "a", else: "-")
          + .when(old.word != "12", then: "b", else: "-")
          + .when(old.number <= 7, then: "c", else: "-")
          + .when(old.ratio >= 3, then: "d", else: "-")
      }
    } _: { realm in
      let item = try #require(realm.objects(After.Item.self).first)
      expectTrue(item.half == 6.5 && item.same == 2.75 && item.whole == 2 && item.exact == 7)
      expectTrue(item.one == 1 && item.twelve == 12 && item.raw == "dog" && item.text == "5")
      expectTrue(item.five == 5 && item.part == -1 && item.unknown == nil && item.unread == nil)
      expectEqual(item.shout + item.truths, "12!a-c-")
    }
  }
}
