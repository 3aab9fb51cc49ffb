import CustomDump
import StrataSchema
import Testing

@Suite("Cycles of embedded classes")
struct EmbeddedCycleTests {
  private let text = "Cycles containing embedded objects are not currently supported: "

  @Test("of one class are refused, through links and lists")
  func one() {
    #expect(problems(model("A", embedded: true, link("a", to: "A"))) == [text + "'A.a'"])
    #expect(
      problems(model("A", embedded: true, property("as", .object, to: "A", .list)))
        == [text + "'A.as'"])
  }

  @Test("of several are refused, with a path from each of them")
  func several() {
    #expect(
      problems(
        model("A", embedded: true, link("b", to: "B")),
        model("B", embedded: true, property("x"), link("c", to: "C")),
        model("C", embedded: true, link("a", to: "A")))
        == [text + "'A.b.c.a'", text + "'B.c.a.b'", text + "'C.a.b.c'"])
  }

  @Test("are told by the shortest way")
  func shortest() {
    #expect(
      problems(
        model("A", embedded: true, link("b", to: "B"), link("self", to: "A")),
        model("B", embedded: true, link("a", to: "A")))
        == [text + "'A.self'", text + "'B.a.b'"])
  }

  @Test("are none where a link leads out of the embedded classes, or nowhere back")
  func none() {
    #expect(
      problems(
        model("A", link("b", to: "B")),
        model("B", embedded: true, link("a", to: "A"), link("c", to: "C"), link("d", to: "C")),
        model("C", embedded: true, property("x")))
        == [])
  }
}
