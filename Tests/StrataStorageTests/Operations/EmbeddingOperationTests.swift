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
