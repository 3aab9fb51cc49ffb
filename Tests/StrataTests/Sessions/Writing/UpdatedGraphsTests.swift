import Strata
import StrataTestKit
import TestKit
import Testing

/// Objects of a class that links to itself and has embedded objects.
@Suite struct UpdatedGraphsTests {
  final class Node: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var next: Node?
    @Persisted var mark: Mark?
  }
  final class Mark: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var node: Node?
  }

  private func realm(_ folder: TestFolder) throws -> Realm {
    try Realm(configuration: folder.configuration([Node.self, Mark.self]))
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func `An object that is updated may link to a new one`(policy: Realm.UpdatePolicy) throws {
    let folder = try TestFolder()
    let realm = try realm(folder)
    try realm.write { realm.add(Node(value: ["id": "a"])) }
    try realm.write {
      realm.add(Node(value: ["id": "a", "next": ["id": "b"]] as [String: Any]), update: policy)
    }
    expectEqual(realm.object(ofType: Node.self, forPrimaryKey: "a")?.next?.id, "b")
    try realm.write {
      realm.add(
        Node(value: ["id": "b", "mark": ["number": 7, "node": ["id": "c"]]] as [String: Any]),
        update: policy)
    }
    expectEqual(realm.object(ofType: Node.self, forPrimaryKey: "b")?.mark?.node?.id, "c")
    expectEqual(realm.objects(Node.self).count, 3)
  }
}
