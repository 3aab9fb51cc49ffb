import Strata
import StrataTestKit
import TestKit
import Testing

/// Links between objects of one class that are both changed in a transaction.
@Suite("Links inside of a class")
struct LinksOfOneClassTests {
  final class Node: Object {
    @Persisted var name = ""
    @Persisted var next: Node?
    @Persisted var any: AnyRealmValue
    @Persisted(originProperty: "next") var previous: LinkingObjects<Node>
  }

  @Test
  func `A link between objects of one class, both changed in the transaction, is kept`() throws {
    let folder = try TestFolder()
    try folder.open([Node.self]) { realm in
      let nodes = realm.objects(Node.self)
      try realm.write {
        for name in ["a", "b"] { realm.create(Node.self, value: ["name": name]) }
        nodes.last?.next = nodes.first
        nodes.first?.any = nodes.last.map { .object($0) } ?? .none
      }
      expectTrue(nodes.last?.next?.name == "a" && nodes.first?.previous.map(\.name) == ["b"])
      expectEqual(nodes.first?.any.object(Node.self)?.name, "b")
      try realm.write {
        let (first, last) = (try #require(nodes.first), try #require(nodes.last))
        let again = try #require(nodes.last)
        last.name = "c"
        first.name = "d"
        first.next = again
        first["any"] = again
        expectEqual(first.next?.name, "c")
      }
    }
    try folder.open([Node.self]) { realm in
      let nodes = realm.objects(Node.self)
      expectTrue(nodes.map { $0.next?.name } == ["c", "d"] && nodes.map(\.name) == ["d", "c"])
    }
  }

  @Test func `A link to a new object that leads to thousands is kept`() throws {
    let folder = try TestFolder()
    try folder.open([Node.self]) { realm in
      try realm.write { realm.create(Node.self, value: ["name": "start"]) }
      try realm.write {
        let chain = Node(value: ["name": "0"])
        var last = chain
        for number in 1..<5_000 {
          let node = Node(value: ["name": "\(number)"])
          last.next = node
          last = node
        }
        realm.objects(Node.self).first?.next = chain
      }
    }
    try folder.open([Node.self]) { realm in
      expectEqual(realm.objects(Node.self).count, 5_001)
      expectEqual(realm.objects(Node.self).first?.next?.next?.name, "1")
    }
  }
}
