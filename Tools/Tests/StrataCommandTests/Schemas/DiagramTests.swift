import Foundation
import StrataSchema
import TestKit
import Testing

@testable import StrataCommand

@Suite struct DiagramTests {
  private func document(_ classes: [ObjectSchema]) -> SchemaDocument {
    SchemaDocument(path: "test.sqlite", version: 1, schema: Schema(classes))
  }

  /// Classes whose links are random, with circles.
  private func random(_ count: Int) -> SchemaDocument {
    var state: UInt64 = 7
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    return document(
      (0..<count).map { index in
        ObjectSchema(
          className: "Class\(index)",
          properties: (0..<next(4)).map { link in
            Property(
              name: "link\(link)", type: .object, objectClassName: "Class\(next(count))",
              collection: link == 1 ? .list : nil)
          } + [Property(name: "name", type: .string)])
      })
  }

  @Test(arguments: [1, 2, 5, 30, 200])
  func `No box lies on another one`(count: Int) {
    let graph = DiagramGraph(random(count))
    let layout = DiagramLayout(graph)
    expectEqual(layout.frames.count, count)
    let frames = layout.frames.values.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    for (index, first) in frames.enumerated() {
      expectTrue(first.x >= 0 && first.y >= 0)
      expectTrue(first.x + first.width <= layout.width && first.y + first.height <= layout.height)
      for second in frames[(index + 1)...] {
        let isApart =
          first.x + first.width <= second.x || second.x + second.width <= first.x
          || first.y + first.height <= second.y || second.y + second.height <= first.y
        expectTrue(isApart)
      }
    }
  }

  @Test func `Arrows lead down where there is no circle`() {
    let graph = DiagramGraph(
      document([
        ObjectSchema(
          className: "A",
          properties: [
            Property(name: "b", type: .object, objectClassName: "B"),
            Property(name: "c", type: .object, objectClassName: "C"),
          ]),
        ObjectSchema(
          className: "B", properties: [Property(name: "c", type: .object, objectClassName: "C")]),
        ObjectSchema(className: "C", properties: []),
      ]))
    let layout = DiagramLayout(graph)
    expectEqual(graph.arrows.count, 3)
    for arrow in graph.arrows {
      let (from, to) = (layout.frames[arrow.from]!, layout.frames[arrow.to]!)
      expectTrue(from.y + from.height < to.y)
    }
    // From A to C past B.
    expectEqual(layout.bends[graph.arrows[1]]?.count, 2)
  }

  @Test func `The same classes give the same text, which is XML`() throws {
    let document = random(40)
    let svg = SchemaDiagram(document).svg()
    expectEqual(svg, SchemaDiagram(document).svg())
    expectTrue(svg.hasPrefix("<svg "))
    expectEqual(svg.components(separatedBy: "<g ").count, svg.components(separatedBy: "</g>").count)
  }

  @Test func `Hostile names are text`() {
    let svg = SchemaDiagram(
      document([
        ObjectSchema(
          className: "<script>alert(1)</script>",
          properties: [Property(name: "\"a\" & \u{202E}b", type: .string)])
      ])
    ).svg()
    expectFalse(svg.contains("<script"))
    expectTrue(svg.contains("&lt;script&gt;"))
    expectTrue(svg.contains("&quot;a&quot; &amp; \\u{202E}b"))
  }

  @Test func `A class that leads to itself has an arrow at its side`() {
    let svg = SchemaDiagram(
      document([
        ObjectSchema(
          className: "Dog",
          properties: [Property(name: "mother", type: .object, objectClassName: "Dog")])
      ])
    ).svg()
    expectTrue(svg.contains("<title>Dog.mother: Dog</title>"))
    expectTrue(svg.contains("0..1"))
  }

  @Test func `No classes are an empty picture`() {
    expectTrue(SchemaDiagram(document([])).svg().contains("<svg"))
  }

  @Test func `Two hundred classes take no time to see`() {
    let document = random(200)
    let start = ContinuousClock.now
    _ = SchemaDiagram(document).svg()
    // Some 40 ms, optimized; the tests are not.
    expectTrue(ContinuousClock.now - start < .seconds(10))
  }
}
