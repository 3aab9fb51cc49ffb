import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Results that are deleted with one statement. The program's objects become invalid.
@Suite struct DeletingResultsTests {
  class Node: Object {
    @Persisted var number = 0
    @Persisted var parent: Node?
    @Persisted var part: Part?
    @Persisted var nodes: List<Node>
  }

  class Part: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var screw: Screw?
  }

  class Screw: EmbeddedObject {
    @Persisted var number = 0
  }

  private static let types = [Node.self, Part.self, Screw.self]

  private func withNodes(_ count: Int, _ body: (Realm, [Node]) throws -> Void) throws {
    try TestFolder().open(Self.types) { realm in
      let nodes = (0..<count).map { Node(value: ["number": $0]) }
      try realm.write {
        realm.add(nodes)
        for (node, before) in zip(nodes.dropFirst(), nodes) {
          node.parent = before
          node.part = Part(value: ["number": node.number, "screw": ["number": -1]])
          nodes[0].nodes.append(node)
        }
      }
      try body(realm, nodes)
    }
  }

  private func check(
    _ nodes: [Node], without isDeleted: (Int) -> Bool, _ realm: Realm,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let left = nodes.indices.filter { !isDeleted($0) }
    for number in nodes.indices {
      expectEqual(nodes[number].isInvalidated, isDeleted(number), sourceLocation: sourceLocation)
    }
    expectEqual(realm.objects(Node.self).map(\.number), left, sourceLocation: sourceLocation)
    for number in left {
      let hasParent = number > 0 && !isDeleted(number - 1)
      expectEqual((nodes[number].parent != nil), hasParent, sourceLocation: sourceLocation)
      expectEqual(
        nodes[number].part?.number, (number > 0 ? number : nil), sourceLocation: sourceLocation)
    }
    if let first = left.first, first == 0 {
      let elements = nodes[0].nodes.map(\.number)
      expectEqual(elements, Array(left.dropFirst()), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [1, 5, 63, 64, 65, 300])
  func `As many as there are, all are gone`(count: Int) throws {
    try withNodes(400) { realm, nodes in
      let found = realm.objects(Node.self).where { $0.number >= 1 && $0.number <= count }
      try realm.write {
        realm.delete(found)
        expectTrue(found.isEmpty && found.first == nil)
        check(nodes, without: { $0 >= 1 && $0 <= count }, realm)
      }
      check(nodes, without: { $0 >= 1 && $0 <= count }, realm)
    }
  }

  @Test func `None are found, twice`() throws {
    try withNodes(5) { realm, nodes in
      try realm.write {
        for _ in 0..<2 { realm.delete(realm.objects(Node.self).where { $0.number > 10 }) }
      }
      check(nodes, without: { _ in false }, realm)
    }
  }

  @Test func `Those of a list, behind a link, and some of an order`() throws {
    try withNodes(100) { realm, nodes in
      try realm.write {
        realm.delete(nodes[0].nodes.where { $0.number >= 90 })
        realm.delete(realm.objects(Node.self).where { $0.parent.number == 3 })
        realm.delete(
          realm.objects(Node.self).sorted(byKeyPath: "number", ascending: false).limit(10))
        realm.delete(realm.objects(Node.self).filter("part.screw.number == -1 && number == 50"))
      }
      check(nodes, without: { $0 >= 80 || $0 == 4 || $0 == 50 }, realm)
    }
  }

  @Test func `Rolled back, all are there again`() throws {
    try withNodes(100) { realm, nodes in
      realm.beginWrite()
      nodes[50].number = 1_000
      realm.delete(realm.objects(Node.self).where { $0.number > 10 })
      check(nodes, without: { $0 > 10 }, realm)
      realm.cancelWrite()
      check(nodes, without: { _ in false }, realm)
      try realm.write { realm.delete(realm.objects(Node.self).where { $0.number > 10 }) }
      check(nodes, without: { $0 > 10 }, realm)
    }
  }

  @Test func `After SQL of the program the same is true`() throws {
    try withNodes(200) { realm, nodes in
      try realm.write {
        try realm.withDatabase { try $0.execute(sql: "UPDATE Node SET number = number") }
        realm.delete(realm.objects(Node.self).where { $0.number >= 195 })
        realm.delete(realm.objects(Node.self).where { $0.number >= 10 })
      }
      check(nodes, without: { $0 >= 10 }, realm)
    }
  }

  @Test func `Deleting all leaves none, and new ones can be added`() throws {
    try withNodes(100) { realm, nodes in
      try realm.write { realm.delete(realm.objects(Node.self)) }
      check(nodes, without: { _ in true }, realm)
      try realm.write { realm.add(Node(value: ["number": 7])) }
      try realm.write { realm.deleteAll() }
      expectTrue(realm.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `Results of another realm, and frozen ones, are refused`(areAll: Bool) throws {
    try withNodes(5) { realm, _ in
      try withNodes(3) { other, nodes in
        let some = [realm, realm.freeze(), other.freeze()].map { realm in
          let all = realm.objects(Node.self)
          return areAll ? all : all.where { $0.number >= 0 }
        }
        for results in some {
          expectError("Can only delete an object from the Realm it belongs to.") {
            try other.write { other.delete(results) }
          }
        }
        check(nodes, without: { _ in false }, other)
        expectEqual(realm.objects(Node.self).count, 5)
      }
    }
  }

  @Test func `Results from before their realm was invalidated delete nothing`() throws {
    try withNodes(3) { realm, _ in
      let all = realm.objects(Node.self)
      realm.invalidate()
      try realm.write { realm.delete(all) }
      expectTrue(all.isEmpty && realm.objects(Node.self).count == 3)
      let made = [
        all.filter("number >= 0"), all.where { $0.number >= 0 }, all.sorted(byKeyPath: "number"),
        all.distinct(by: ["number"]), all.limit(2),
      ]
      try realm.write { made.forEach { realm.delete($0) } }
      expectTrue(made.allSatisfy { $0.isEmpty && $0.isInvalidated && $0.first == nil })
      expectEqual(realm.objects(Node.self).count, 3)
    }
  }

  @Test func `Observers hear of what is deleted between other changes`() throws {
    try withNodes(100) { realm, nodes in
      var deletions: [Int] = []
      var modifications: [Int] = []
      let results = realm.objects(Node.self)
      let token = results.observe(keyPaths: ["number"]) { change in
        guard case .update(_, let deleted, _, let modified) = change else { return }
        deletions = deleted
        modifications = modified
      }
      realm.refresh()
      try realm.write {
        nodes[0].number = -1
        realm.delete(results.where { $0.number >= 50 })
        nodes[1].number = -2
      }
      realm.refresh()
      expectEqual(deletions, Array(50..<100))
      expectEqual(modifications, [0, 1])
      token.invalidate()
    }
  }
}
