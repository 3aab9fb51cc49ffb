import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Cycles of embedded classes")
struct EmbeddedCycleTests {
  private let text = "Cycles containing embedded objects are not currently supported: "

  @Test func `A class that embeds itself is refused, through links and lists`() {
    expectEqual(problems(model("A", embedded: true, link("a", to: "A"))), [text + "'A.a'"])
    expectEqual(
      problems(model("A", embedded: true, property("as", .object, to: "A", .list))),
      [text + "'A.as'"])
  }

  @Test func `A cycle of several classes is refused, with a path from each of them`() {
    expectEqual(
      problems(
        model("A", embedded: true, link("b", to: "B")),
        model("B", embedded: true, property("x"), link("c", to: "C")),
        model("C", embedded: true, link("a", to: "A"))),
      [text + "'A.b.c.a'", text + "'B.c.a.b'", text + "'C.a.b.c'"])
  }

  @Test func `A cycle is reported by the shortest way`() {
    expectEqual(
      problems(
        model("A", embedded: true, link("b", to: "B"), link("self", to: "A")),
        model("B", embedded: true, link("a", to: "A"))), [text + "'A.self'", text + "'B.a.b'"])
  }

  @Test func `Links that leave the embedded classes, or don't lead back, are no cycle`() {
    expectEqual(
      problems(
        model("A", link("b", to: "B")),
        model("B", embedded: true, link("a", to: "A"), link("c", to: "C"), link("d", to: "C")),
        model("C", embedded: true, property("x"))), [])
  }
}
