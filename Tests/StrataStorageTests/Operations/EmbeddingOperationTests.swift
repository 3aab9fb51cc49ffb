import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite("A class that becomes embedded")
struct EmbeddingOperationTests {
  private let plain = model("Address", property("street", .string))
  private let embedded = model("Address", embedded: true, property("street", .string))
  private let person = model(
    "Person", link("address", to: "Address"), property("homes", .object, to: "Address", .list),
    property("map", .object, to: "Address", .map))
  private let start = "Cannot convert 'Address' to embedded: "

  private func file(_ addresses: Int, _ people: Int) throws -> MemoryFile {
    let file = try MemoryFile(plain, person)
    for row in 0..<addresses {
      try file.execute("INSERT INTO Address VALUES (\(row + 1), 's\(row + 1)')")
    }
    for row in 0..<people { try file.execute("INSERT INTO Person (_id) VALUES (\(row + 1))") }
    return file
  }

  @Test func `Objects with one parent are kept, and deleted with it from then on`() throws {
    var file = try file(3, 2)
    try file.execute(
      """
      UPDATE Person SET address = _id WHERE _id = 1;
      INSERT INTO Person_homes VALUES (1, 0, 2);
      INSERT INTO Person_map VALUES (2, 'k', 3), (2, 'nil', NULL);
      """)
    try file.migrate(to: embedded, person)
    try expectEqual(file.rows("SELECT * FROM Address"), ["1 s1", "2 s2", "3 s3"])
    try expectTrue(file.isSound())
    try file.execute("DELETE FROM Person WHERE _id = 1")
    try expectEqual(file.rows("SELECT * FROM Address"), ["3 s3"])
    try file.migrate(to: plain, person)
    try file.execute("DELETE FROM Person")
    try expectEqual(file.rows("SELECT * FROM Address"), ["3 s3"])
    try expectTrue(file.isSound())
  }

  @Test func `Objects without a parent are refused, or deleted if that was chosen`() throws {
    var file = try file(13, 1)
    try file.execute("UPDATE Person SET address = 2")
    try expectEqual(
      file.refusal(to: embedded, person),
      start
        + "at least one object has no incoming links and would be deleted. "
        + "At least one object does not have a backlink (data would get lost).\n"
        + "- 12 objects of 'Address' have no parent (_id 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)\n"
        + "Delete them in the migration block, link to them, or have them deleted with "
        + "'migration.embedObjects(ofType: \"Address\", orphans: .delete)'.")
    try expectEqual(file.rows("SELECT count(*) FROM Address"), ["13"])
    try file.execute("DELETE FROM Address WHERE _id > 3; DELETE FROM Address WHERE _id = 1")
    let message = try file.refusal(to: embedded, person)
    expectEqual(message?.contains("\n- 1 object of 'Address' has no parent (_id 3)\n"), true)
    try file.migrate(
      to: embedded, person, choices: ["Address": EmbeddingChoice(orphans: .delete)])
    try expectEqual(file.rows("SELECT * FROM Address"), ["2 s2"])
    try expectTrue(file.isSound())
  }

  @Test func `Objects with several parents are refused, or copied if that was chosen`() throws {
    var file = try file(2, 3)
    try file.execute(
      """
      UPDATE Person SET address = 1 WHERE _id <> 2;
      INSERT INTO Person_homes VALUES (2, 0, 1), (2, 1, 2), (2, 2, 1);
      INSERT INTO Person_map VALUES (1, 'k', 1);
      """)
    try expectEqual(
      file.refusal(to: embedded, person),
      start
        + "at least one object has more than one incoming link. "
        + "At least one object does have multiple backlinks.\n"
        + "- 'Address' 1 is shared by 'Person' 1, 3 (address), 'Person' 1 (map), "
        + "'Person' 2, 2 (homes)\n"
        + "Give each parent its own copy in the migration block, or have them copied with "
        + "'migration.embedObjects(ofType: \"Address\", shared: .copy)'.")
    try file.migrate(to: embedded, person, choices: ["Address": EmbeddingChoice(shared: .copy)])
    try expectEqual(
      file.rows("SELECT _id, address FROM Person ORDER BY _id"), ["1 1", "2 nil", "3 6"])
    try expectEqual(file.rows("SELECT * FROM Person_map"), ["1 k 3"])
    try expectEqual(
      file.rows("SELECT * FROM Person_homes ORDER BY position"), ["2 0 4", "2 1 2", "2 2 5"])
    try expectEqual(
      file.rows("SELECT * FROM Address ORDER BY _id"),
      ["1 s1", "2 s2", "3 s1", "4 s1", "5 s1", "6 s1"])
    try expectTrue(file.isSound())
  }

  @Test func `The error names ten objects and says how many there are`() throws {
    var file = try file(12, 12)
    try file.execute(
      """
      UPDATE Person SET address = _id;
      INSERT INTO Person_homes SELECT _id, 0, _id FROM Person;
      INSERT INTO Person_homes SELECT _id, 1, 1 FROM Person;
      """)
    let message = try #require(try file.refusal(to: embedded, person))
    expectTrue(message.contains("\n- and 2 more of 12 objects\n"))
    expectTrue(message.contains("(address), 'Person' 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, … (homes)"))
  }

  @Test
  func `Links of classes that only the file has count, and those of removed properties don't`()
    throws
  {
    func file() throws -> MemoryFile {
      let file = try MemoryFile(
        plain, model("Former", property("set", .object, to: "Address", .set)),
        model("Person", link("address", to: "Address"), link("gone", to: "Address")))
      try file.execute(
        """
        INSERT INTO Address VALUES (1, 's1'), (2, 's2');
        INSERT INTO Person VALUES (1, 1, 1);
        INSERT INTO Former VALUES (1), (2);
        INSERT INTO Former_set VALUES (1, 2);
        """)
      return file
    }
    let person = model("Person", link("address", to: "Address"))
    var right = try file()
    try expectNil(right.refusal(to: embedded, person))
    var other = try file()
    try other.execute("INSERT INTO Former_set VALUES (2, 2)")
    try expectEqual(other.refusal(to: embedded, person)?.contains("'Former' 1, 2 (set)"), true)
    try other.migrate(to: embedded, person, choices: ["Address": EmbeddingChoice(shared: .copy)])
    try expectEqual(other.rows("SELECT * FROM Former_set"), ["1 2", "2 3"])
  }

  @Test(
    arguments: [nil, CollectionKind.list, .set, .map])
  func `Objects in an AnyRealmValue are refused`(kind: CollectionKind?) throws {
    let holder = model("Holder", property("x", .any, kind))
    var file = try MemoryFile(plain, person, holder)
    let place =
      switch kind {
      case .list: "position,"
      case .map: "key,"
      default: ""
      }
    let insert =
      kind == nil
      ? "INSERT INTO Holder VALUES (1, 1, '<Address>')"
      : "INSERT INTO Holder VALUES (1); INSERT INTO Holder_x (owner, \(place) value, value_type) "
        + "VALUES (1, \(place.isEmpty ? "" : "0,") 1, '<Address>')"
    try file.execute("INSERT INTO Address VALUES (1, 's'); INSERT INTO Person (address) VALUES (1)")
    try file.execute(insert)
    let both = EmbeddingChoice(orphans: .delete, shared: .copy)
    try expectEqual(
      file.refusal(to: embedded, person, holder, choices: ["Address": both]),
      start
        + "there is an incoming link from the Mixed property 'Holder.x', "
        + "which does not support linking to embedded objects.")
    let table = kind == nil ? "Holder" : "Holder_x"
    let column = kind == nil ? "x_type" : "value_type"
    try file.execute("UPDATE \(table) SET \(column) = 'int'")
    try file.migrate(to: embedded, person, holder)
    try expectTrue(file.isSound())
  }

  // MARK: Embedded objects inside

  private func nested(geoEmbedded: Bool, addressEmbedded: Bool) -> [ObjectSchema] {
    [
      model(
        "Address", embedded: addressEmbedded, link("geo", to: "Geo"), link("dog", to: "Dog"),
        property("geos", .object, to: "Geo", .list), property("tags", .string, .map)),
      model("Dog", property("name", .string)),
      model("Geo", embedded: geoEmbedded, property("lat", .double)),
      model("Person", link("address", to: "Address")),
    ]
  }

  private func nestedFile(geoEmbedded: Bool) throws -> MemoryFile {
    let classes = nested(geoEmbedded: geoEmbedded, addressEmbedded: false)
    let file = try MemoryFile(classes[0], classes[1], classes[2], classes[3])
    try file.execute(
      """
      INSERT INTO Geo VALUES (1, 1.5), (2, 2.5);
      INSERT INTO Dog VALUES (1, 'Rex');
      INSERT INTO Address VALUES (1, 1, 1);
      INSERT INTO Address_geos VALUES (1, 5, 2);
      INSERT INTO Address_tags VALUES (1, 'k', 'v');
      INSERT INTO Person VALUES (1, 1), (2, 1);
      """)
    return file
  }

  @Test(arguments: [false, true])
  func `Copies have everything that is embedded in them, and share ordinary links`(
    geoEmbedded: Bool
  ) throws {
    var file = try nestedFile(geoEmbedded: geoEmbedded)
    let classes = nested(geoEmbedded: true, addressEmbedded: true)
    try file.migrate(
      to: classes[0], classes[1], classes[2], classes[3],
      choices: ["Address": EmbeddingChoice(shared: .copy)])
    try expectEqual(file.rows("SELECT * FROM Person"), ["1 1", "2 2"])
    try expectEqual(file.rows("SELECT * FROM Address"), ["1 1 1", "2 3 1"])
    try expectEqual(file.rows("SELECT * FROM Address_geos"), ["1 5 2", "2 5 4"])
    try expectEqual(file.rows("SELECT * FROM Address_tags"), ["1 k v", "2 k v"])
    try expectEqual(file.rows("SELECT * FROM Geo"), ["1 1.5", "2 2.5", "3 1.5", "4 2.5"])
    try expectEqual(file.rows("SELECT count(*) FROM Dog"), ["1"])
    try expectTrue(file.isSound())
    try file.execute("DELETE FROM Person WHERE _id = 2")
    try expectEqual(file.rows("SELECT * FROM Geo"), ["1 1.5", "2 2.5"])
  }

  @Test func `A parent is converted before embedded objects that may be shared`() throws {
    var file = try nestedFile(geoEmbedded: false)
    let classes = nested(geoEmbedded: true, addressEmbedded: true)
    try file.execute("INSERT INTO Address VALUES (2, 1, NULL); INSERT INTO Person VALUES (3, 2)")
    let copy = EmbeddingChoice(shared: .copy)
    let message = try file.refusal(
      to: classes[0], classes[1], classes[2], classes[3], choices: ["Address": copy])
    expectEqual(message?.contains("- 'Geo' 1 is shared by 'Address' 1, 2 (geo)\n"), true)
    try file.migrate(
      to: classes[0], classes[1], classes[2], classes[3], choices: ["Address": copy, "Geo": copy])
    try expectEqual(file.rows("SELECT _id, geo FROM Address ORDER BY _id"), ["1 1", "2 5", "3 3"])
    try expectEqual(file.rows("SELECT * FROM Person"), ["1 1", "2 3", "3 2"])
    try expectTrue(file.isSound())
  }

  @Test(arguments: [false, true])
  func `An orphan is deleted with everything that only it holds`(geoEmbedded: Bool) throws {
    var file = try nestedFile(geoEmbedded: geoEmbedded)
    let classes = nested(geoEmbedded: true, addressEmbedded: true)
    try file.execute(
      """
      DELETE FROM Person WHERE _id = 2;
      INSERT INTO Geo VALUES (3, 3.5), (4, 4.5);
      INSERT INTO Address VALUES (2, 3, 1);
      INSERT INTO Address_geos VALUES (2, 0, 4);
      INSERT INTO Address_tags VALUES (2, 'k', 'v');
      """)
    if !geoEmbedded { try file.execute("INSERT INTO Address_geos VALUES (2, 1, 1)") }
    try file.migrate(
      to: classes[0], classes[1], classes[2], classes[3],
      choices: ["Address": EmbeddingChoice(orphans: .delete)])
    try expectEqual(file.rows("SELECT _id FROM Address ORDER BY _id"), ["1"])
    try expectEqual(file.rows("SELECT _id FROM Geo"), ["1", "2"])
    try expectEqual(file.rows("SELECT owner FROM Address_tags"), ["1"])
    try expectEqual(file.rows("SELECT count(*) FROM Dog"), ["1"])
    try expectTrue(file.isSound())
  }
}
