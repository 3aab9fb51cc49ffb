import Foundation
import GRDB
import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Links between imported objects, in any order, whatever identities the objects had.
@Suite struct ImportLinkTests {
  final class Node: Object {
    @Persisted var name = ""
    @Persisted var next: Node?
    @Persisted var others: List<Node>
    @Persisted var roles: Map<String, Node?>
    @Persisted var note: AnyRealmValue
    @Persisted var owner: Owner?
    @Persisted var tag: Tag?
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var best: Owner?
    @Persisted var node: Node?
    @Persisted var note: AnyRealmValue
    @Persisted var notes: List<AnyRealmValue>
  }

  final class Tag: EmbeddedObject {
    @Persisted var label = ""
    @Persisted var about: Node?
    @Persisted var note: AnyRealmValue
  }

  final class Empty: Object {
    @Persisted var name = ""
  }

  private static let types: [ObjectBase.Type] = [Node.self, Owner.self, Tag.self, Empty.self]
  private static let classes = ["Empty", "Node", "Owner"]

  /// A file of these classes, with a reader and an editor.
  private struct File {
    let folder: TestFolder
    let reader: FileReader
    let editor: FileEditor

    init(_ fill: (Realm) -> Void = { _ in }) throws {
      folder = try TestFolder()
      try folder.open(ImportLinkTests.types) { realm in try realm.write { fill(realm) } }
      var configuration = Realm.Configuration(fileURL: folder.file)
      configuration.dynamicClasses = .all
      reader = FileReader(configuration, name: "test")
      editor = FileEditor(configuration, makesBackup: false)
    }

    func export(_ className: String, _ format: ObjectFormat) async throws -> String {
      try await reader.read { db, schema in
        var text = ""
        try Exporter(Question(className), format).write(db, schema) { text += $0 }
        return text
      }
    }

    func exports(_ format: ObjectFormat) async throws -> [String] {
      var texts: [String] = []
      for name in ImportLinkTests.classes { texts.append(try await export(name, format)) }
      return texts
    }

    func importAll(_ texts: [String], _ format: ObjectFormat?) async throws -> [ImportReport] {
      try await editor.importFiles(
        zip(ImportLinkTests.classes, texts).map { name, text in
          ImportPart(.bytes(Array(text.utf8)), into: name)
        }, ImportWish("", format))
    }

    func importText(
      _ text: String, into className: String, _ format: ObjectFormat = .csv,
      _ change: (inout ImportWish) -> Void = { _ in }
    ) async throws -> ImportReport {
      var wish = ImportWish(className, format)
      change(&wish)
      return try await editor.importFile(.bytes(Array(text.utf8)), wish)
    }

    func text(_ sql: String) throws -> [String] {
      let queue = try DatabaseQueue.otherProgram(at: folder.file)
      defer { #expect(throws: Never.self) { try queue.close() } }
      return try queue.read { try String.fetchAll($0, sql: sql) }
    }

    func links(_ property: String = "next") throws -> [String] {
      try text(
        """
        SELECT n.name || '→' || coalesce(m.name, '') FROM Node AS n \
        LEFT JOIN Node AS m ON m._id = n.\(property) ORDER BY n._id
        """)
    }
  }

  /// Objects that lead to each other in each way, with gaps between their identities.
  private static func fill(_ realm: Realm) {
    let nodes = (0..<9).map { realm.create(Node.self, value: ["name": "n\($0)"]) }
    let owners = ["Ada", "Bob", "Cid"].map { realm.create(Owner.self, value: ["name": $0]) }
    nodes[1].next = nodes[8]
    nodes[2].next = nodes[2]
    nodes[8].next = nodes[1]
    nodes[4].others.append(objectsIn: [nodes[8], nodes[1], nodes[8]])
    nodes[4].roles["last"] = nodes[7]
    nodes[4].roles["none"] = .some(nil)
    nodes[5].note = .object(nodes[8])
    nodes[6].note = .object(owners[2])
    nodes[7].note = .fromArray([.object(nodes[8]), .object(owners[0]), .int(1)])
    nodes[7].owner = owners[1]
    nodes[7].tag = Tag(value: ["label": "t", "about": nodes[8]])
    nodes[8].tag = Tag()
    nodes[8].tag?.note = .object(owners[1])
    owners[0].best = owners[2]
    owners[2].best = owners[0]
    owners[1].node = nodes[8]
    owners[0].note = .object(owners[1])
    owners[1].note = .fromDictionary(["node": .object(nodes[4]), "owner": .object(owners[2])])
    owners[2].notes.append(objectsIn: [.object(owners[0]), .object(nodes[1])])
    realm.delete([nodes[0], nodes[3]])
  }

  private func expectNoProblems(_ reports: [ImportReport]) {
    for report in reports {
      expectEqual(report.problems, [])
      expectEqual(report.ready, report.rows)
    }
  }

  @Test(arguments: ObjectFormat.allCases)
  func `All classes come back as the same export, byte for byte`(format: ObjectFormat) async throws
  {
    let file = try File(Self.fill)
    let texts = try await file.exports(format)
    expectTrue(texts[1].contains("n8"))
    let empty = try File()
    let reports = try await empty.importAll(texts, format)
    expectNoProblems(reports)
    expectEqual(reports.map(\.ready), [0, 7, 3])
    try await expectEqual(empty.exports(format), texts)
    // In the other order of classes, too.
    let other = try File()
    let parts = zip(Self.classes, texts).reversed().map { name, text in
      ImportPart(.bytes(Array(text.utf8)), into: name)
    }
    expectNoProblems(
      try await other.editor.importFiles(
        parts, ImportWish("", format)))
    try await expectEqual(other.exports(format), texts)
    try expectTrue(Realm.problems(for: Realm.Configuration(fileURL: empty.folder.file)).isEmpty)
  }

  @Test(arguments: ObjectFormat.allCases)
  func `Beside other objects, links lead to those that came with them`(
    format: ObjectFormat
  ) async throws {
    let text = try await File(Self.fill).export("Node", format)
    let file = try File { realm in
      for name in ["Ada", "Bob", "Cid", "Dan"].reversed() {
        realm.create(Owner.self, value: ["name": name])
      }
      for index in 0..<5 { realm.create(Node.self, value: ["name": "old\(index)"]) }
    }
    let report = try await file.importText(text, into: "Node", format)
    expectNoProblems([report])
    expectEqual(report.ready, 7)
    try expectEqual(
      file.links().suffix(7), ["n1→n8", "n2→n2", "n4→", "n5→", "n6→", "n7→", "n8→n1"])
    try expectEqual(
      file.text(
        """
        SELECT m.name FROM Node_others AS o JOIN Node AS n ON n._id = o.owner \
        JOIN Node AS m ON m._id = o.value WHERE n.name = 'n4' ORDER BY o.position
        """), ["n8", "n1", "n8"])
    // In an AnyRealmValue, with a key and without.
    try expectEqual(
      file.text(
        "SELECT o.name FROM Node AS n JOIN Owner AS o ON o._id = n.note WHERE n.name = 'n6'"),
      ["Cid"])
    try expectEqual(
      file.text(
        "SELECT m.name FROM Node AS n JOIN Node AS m ON m._id = n.note WHERE n.name = 'n5'"), ["n8"]
    )
    try expectEqual(
      file.text(
        """
        SELECT m.name FROM Node AS n JOIN Tag AS t ON t._id = n.tag \
        JOIN Node AS m ON m._id = t.about
        """), ["n8"])
  }

  @Test func `Objects with a key may lead to later ones, and to themselves`() async throws {
    let file = try File()
    let report = try await file.importText("name,best\nAda,Bob\nBob,Bob\nCid,Ada", into: "Owner")
    expectNoProblems([report])
    try expectEqual(
      file.text(
        "SELECT o.name || b.name FROM Owner AS o JOIN Owner AS b ON b._id = o.best ORDER BY o._id"),
      ["AdaBob", "BobBob", "CidAda"])
    try await expectEqual(file.editor.undo(), "Import 3 Owner")
    try expectEqual(file.text("SELECT name FROM Owner"), [])
  }

  @Test func `Objects that are changed may lead to later ones`() async throws {
    let file = try File { $0.create(Owner.self, value: ["name": "Ada"]) }
    let report = try await file.importText("name,best\nAda,Bob\nBob,", into: "Owner") {
      $0.updates = true
    }
    expectNoProblems([report])
    try expectEqual(
      file.text("SELECT b.name FROM Owner AS o JOIN Owner AS b ON b._id = o.best"), ["Bob"])
  }

  // MARK: Mistakes

  private func lines(_ report: ImportReport) -> [String] {
    report.problems.map { "\($0.line) \($0.column ?? ""): \($0.message)" }
  }

  @Test func `What leads to an object that is left out is left out as well`() async throws {
    let file = try File()
    let report = try await file.importText(
      """
      name,best
      Ada,Bob
      Bob,Cid
      Cid,Nobody
      Dan,Ada
      Eve,Eve
      Fay,Eve
      """, into: "Owner")
    expectEqual(report.rows, 6)
    expectEqual(report.ready, 2)
    expectEqual(
      lines(report),
      [
        "2 best: There is no Owner with the key 'Bob'.",
        "3 best: There is no Owner with the key 'Cid'.",
        "4 best: There is no Owner with the key 'Nobody'.",
        "5 best: There is no Owner with the key 'Ada'.",
      ])
    try expectEqual(file.text("SELECT name FROM Owner ORDER BY 1"), ["Eve", "Fay"])
  }

  @Test func `An identity that isn't in the input leads nowhere`() async throws {
    let file = try File { $0.create(Node.self, value: ["name": "old"]) }
    let report = try await file.importText("_id,name,next\n7,a,8\n8,b,1\n9,c,9", into: "Node")
    expectEqual(
      lines(report),
      [
        "2 next: There is no Node with the identity '8'.",
        "3 next: There is no Node with the identity '1'.",
      ])
    try expectEqual(file.links(), ["old→", "c→c"])
  }

  @Test func `Without identities in the input, links lead to what was there`() async throws {
    let file = try File { $0.create(Node.self, value: ["name": "old"]) }
    for format in [ObjectFormat.csv, .ndjson] {
      let text =
        format == .csv
        ? "name,next\na,1\nb,2" : #"{"name":"a","next":1}"# + "\n" + #"{"name":"b","next":99}"#
      let report = try await file.importText(text, into: "Node", format)
      expectEqual(report.ready, 1)
      expectEqual(report.problems.count, 1)
    }
    try expectEqual(file.links(), ["old→", "a→old", "a→old"])
  }

  @Test func `An identity is that of one object`() async throws {
    let file = try File()
    let report = try await file.importText("_id,name\n5,a\n5,b\n,c\nx,d", into: "Node")
    expectEqual(
      lines(report),
      [
        "3 _id: There is an object with this identity already.", "5 _id: 'x' is no Int.",
      ])
    try expectEqual(file.text("SELECT _id || name FROM Node"), ["5a", "6c"])
  }

  @Test func `A pipe with a link that leads nowhere changes nothing`() async throws {
    let file = try File()
    let path = file.folder.url.appendingPathComponent("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      let descriptor = open(path, O_WRONLY)
      let text = Array("name,best\nAda,Bob\nCid,".utf8)
      _ = write(descriptor, text, text.count)
      close(descriptor)
    }
    writer.start()
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await file.editor.importFile(.file(path: path), ImportWish("Owner", .csv))
    }
    expectEqual(
      failure?.message,
      "Line 2, best: There is no Owner with the key 'Bob'. A pipe can't be read again without "
        + "this row. Write the input into a file first.")
    try expectEqual(file.text("SELECT name FROM Owner"), [])
  }

  // MARK: Identities

  @Test func `Identities are found by those that they had`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      var identities = ImportedIdentities()
      var expected: [Int64: Int64] = [:]
      var last: Int64 = 0
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let old = Int64.random(in: 1...80, using: &random)
        guard expected[old] == nil else { continue }
        let new = old > last ? old : last + 1
        last = new
        expected[old] = new
        identities.record(old, is: new)
      }
      for old in Int64(0)...81 { expectEqual(identities[old], expected[old]) }
    }
  }
}
