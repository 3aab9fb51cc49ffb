import StrataQuery
import StrataSchema
import TestKit
import Testing

/// Regions over random objects, compared with a traversal from each observed object.
@Suite struct RandomRegionTests {
  private struct Node: Hashable {
    let className: String
    let row: Int64
  }

  /// Objects of four classes that link to each other in circles.
  private struct Graph {
    static let schema = Schema(
      model("A", link("b", to: "B"), property("x"), property("list", .object, to: "A", .list)),
      model(
        "B", property("x"), property("any", .any),
        property("map", .object, to: "C", .map, optional: false),
        linkingObjects("as", from: "A", "b")),
      model(
        "C", property("x"), property("d", .object, to: "D", optional: true),
        linkingObjects("bs", from: "B", "map")),
      model("D", embedded: true, property("x"), link("a", to: "A")))

    var links: [Node: [String: [Node]]] = [:]

    init(_ random: inout SplitMix64) {
      for schema in Self.schema.objectSchema {
        for row in Int64(1)...4 {
          let node = Node(className: schema.className, row: row)
          links[node] = [:]
          for property in schema.properties where random.percent(60) {
            let target =
              property.type == .any
              ? ["A", "B", "C"].randomElement(using: &random) : property.objectClassName
            guard let target else { continue }
            let count = property.collection == nil ? 1 : Int.random(in: 0...3, using: &random)
            links[node]?[property.name] = (0..<count).map { _ in
              Node(className: target, row: Int64.random(in: 1...4, using: &random))
            }
          }
        }
      }
    }

    /// The result of the SQL of a way.
    func owners(_ way: WayBack, _ rows: [Int64]) -> [Int64] {
      let (origin, property) = (way.reference.origin.className, way.reference.property.name)
      let all = links.filter { $0.key.className == origin }
      if way.isForward {
        return all.filter { rows.contains($0.key.row) }.flatMap {
          ($0.value[property] ?? []).map(\.row)
        }
      }
      return all.filter { entry in
        (entry.value[property] ?? []).contains {
          $0.className == way.className && rows.contains($0.row)
        }
      }.map(\.key.row)
    }

    /// The objects behind a property, linking objects as well.
    func targets(_ node: Node, _ property: Property) -> [Node] {
      guard property.isComputed else { return links[node]?[property.name] ?? [] }
      return links.filter {
        $0.key.className == property.objectClassName
          && ($0.value[property.linkOriginPropertyName ?? ""] ?? []).contains(node)
      }.map(\.key)
    }

    func reaches(_ node: Node, _ touched: Set<Node>, over count: Int) -> Bool {
      if touched.contains(node) { return true }
      guard count > 0 else { return false }
      return (links[node] ?? [:]).values.joined().contains {
        reaches($0, touched, over: count - 1)
      }
    }

    /// Whether the end of a path is an object that was touched.
    func reaches(_ node: Node, _ touched: Set<Node>, along path: ArraySlice<String>) -> Bool {
      guard let name = path.first, path.count > 1 else { return touched.contains(node) }
      guard let property = Self.schema[node.className]?[name] else { return false }
      return targets(node, property).contains {
        reaches($0, touched, along: path.dropFirst())
      }
    }
  }

  private func touched(_ random: inout SplitMix64) -> Set<Node> {
    Set(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Node(
          className: ["A", "B", "C", "D"].randomElement(using: &random) ?? "A",
          row: Int64.random(in: 1...4, using: &random))
      })
  }

  @Test func `Backwards from touched objects are those that lead to them over three links`() throws
  {
    var random = SplitMix64(seed: 31)
    for _ in 0..<400 {
      let graph = Graph(&random)
      let touched = touched(&random)
      for className in ["A", "B", "C", "D"] {
        let depth = Int.random(in: 0...4, using: &random)
        let region = try ObservedRegion(Graph.schema, className, depth: depth)
        var asked: Set<String> = []
        let rows = region.reached(
          touched: { position in
            touched.filter { $0.className == region.sources[position].className }.map(\.row)
          },
          owners: { way, rows in
            let name = "\(way.reference.table).\(way.reference.column) \(way.className)"
            expectTrue(rows.allSatisfy { asked.insert("\(name) \($0)").inserted })
            return graph.owners(way, rows)
          })
        let expected = (Int64(1)...4).filter {
          graph.reaches(Node(className: className, row: $0), touched, over: depth)
        }
        expectEqual(rows, Set(expected))
      }
    }
  }

  @Test(arguments: [
    "b.x", "list.list.b.map.x", "b.map.d.a.x", "b.as.x", "list.b.as.list.x", "b.map.bs.map.x",
  ])
  func `Along a key path only the objects at its end are looked for`(keyPath: String) throws {
    var random = SplitMix64(seed: 32)
    let path = keyPath.split(separator: ".").map(String.init)
    let region = try ObservedRegion(Graph.schema, "A", keyPaths: [keyPath])
    for _ in 0..<300 {
      let graph = Graph(&random)
      let touched = touched(&random)
      let rows = region.reached(
        touched: { position in
          let source = region.sources[position]
          // Of the properties only the one at the end was set.
          guard source.columns?.contains("x") == true else { return [] }
          return touched.filter { $0.className == source.className }.map(\.row)
        },
        owners: graph.owners)
      let expected = (Int64(1)...4).filter {
        graph.reaches(Node(className: "A", row: $0), touched, along: path[...])
      }
      expectEqual(rows, Set(expected))
    }
  }
}
