import StrataSchema
import TestKit
import Testing

@Suite("A schema change")
struct SchemaChangeTests {
  private static let p = property("p")

  /// Each kind of change: whether it needs a higher version, and whether reading is refused.
  private static let kinds: [(change: SchemaChange, migration: Bool, refused: Bool)] = [
    (.addClass(model("C", p)), false, false),
    (.addProperty(class: "C", p), true, true),
    (.removeProperty(class: "C", p), true, false),
    (.changeType(class: "C", from: p, to: property("p", .date)), true, true),
    (.makeOptional(class: "C", p), true, true),
    (.makeRequired(class: "C", p), true, true),
    (.addIndex(class: "C", p), false, false),
    (.removeIndex(class: "C", p), false, false),
    (.addPrimaryKey(class: "C", property: "p"), true, true),
    (.removePrimaryKey(class: "C", property: "p"), true, true),
    (.changePrimaryKey(class: "C", from: "p", to: "q"), true, true),
    (.changeKind(class: "C", toEmbedded: true), true, false),
    (.changeKind(class: "C", toEmbedded: false), true, false),
  ]

  @Test
  func `A change knows whether it needs a higher version and whether a reader can live with it`() {
    for kind in Self.kinds {
      expectEqual(kind.change.needsMigration, kind.migration, "\(kind.change)")
      expectEqual(kind.change.isRefusedInReadOnlyMode, kind.refused, "\(kind.change)")
    }
    expectEqual(Self.kinds.count, 13)
  }

  @Test func `Each change has a sentence of its own`() {
    let sentences = Set(Self.kinds.map(\.change.description))
    expectEqual(sentences.count, Self.kinds.count)
    expectTrue(sentences.allSatisfy { $0.hasSuffix(".") && $0.contains("'C") })
  }
}
