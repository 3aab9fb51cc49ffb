import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Loops that write many rows with one statement, into the table or its replacement.
@Suite("A loop over many objects", .rowsAtOnce(1_000))
struct LoopTests {
  static let models: [Object.Type] = [Numbered.Same.Person.self, Numbered.Retyped.Person.self]
  static let count = 2_500

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([Numbered.Old.Person.self]) { realm in
      for number in 0..<Self.count {
        let person = realm.create(
          Numbered.Old.Person.self,
          value: ["number": number, "name": "n\(number)", "surname": "s\(number)"])
        if number.isMultiple(of: 3) { person.note = .int(number) }
      }
    }
  }

  private func migrate(
    _ type: Object.Type, _ body: @escaping @Sendable (Migration) throws -> Void
  ) throws {
    try folder.open([type], version: 1, { migration, _ in try body(migration) }) { _ in }
  }

  private func column(_ sql: String) throws -> [String] {
    try folder.texts("SELECT \(sql) FROM Person ORDER BY _id")
  }

  private func expected(_ value: (Int) -> String) -> [String] { (0..<Self.count).map(value) }

  @Test(arguments: models, [1, 2, 1_000])
  func `A loop writes each row, every second, and one in a thousand`(
    type: Object.Type, stride: Int
  ) throws {
    try migrate(type) { migration in
      migration.enumerateObjects(ofType: "Person") { old, new in
        let number = old!["number"] as! Int
        if number.isMultiple(of: stride) {
          new!["name"] = "\(old!["surname"]!)!"
          new!["note"] = AnyRealmValue.string("x\(number)")
        }
      }
    }
    try expectEqual(
      column("name"), expected { $0.isMultiple(of: stride) ? "s\($0)!" : "n\($0)" })
    let note = { (number: Int) in
      number.isMultiple(of: stride)
        ? "x\(number) string" : number.isMultiple(of: 3) ? "\(number) int" : "none"
    }
    try expectEqual(column("ifnull(note || ' ' || note_type, 'none')"), expected(note))
  }

  @Test(arguments: models)
  func `A loop shows what is set, what was there, and what was written in between`(
    type: Object.Type
  ) throws {
    let hasNumber = type == Numbered.Same.Person.self
    try migrate(type) { migration in
      var seen = 0
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectEqual(new!["name"] as? String, "n\(seen)")
        if hasNumber { expectEqual(new!["number"] as? Int, seen) }
        new!["name"] = "first"
        expectEqual(new!["name"] as? String, "first")
        // Everything is written when another part of the block looks at the class.
        if seen == 70 || seen == 1_500 {
          migration.create("Person", value: ["name": "made", "made": seen])
          expectEqual(new!["name"] as? String, "first")
          expectEqual(new!["surname"] as? String, "s\(seen)")
        }
        // A property that the loop has not read so far.
        if seen > 2_000 { expectEqual(old!["surname"] as? String, "s\(seen)") }
        new!["name"] = "second \(seen)"
        seen += 1
      }
      expectEqual(seen, Self.count)
    }
    try expectEqual(column("name"), expected { "second \($0)" } + ["made", "made"])
    try expectEqual(column("ifnull(made, '')").suffix(2), ["70", "1500"])
  }

  @Test(arguments: models)
  func `A loop covers the rows at the ends of the integers`(type: Object.Type) throws {
    try folder.execute(
      """
      UPDATE Person SET _id = \(Int64.min) WHERE _id = 1;
      UPDATE Person SET _id = \(Int64.max) WHERE _id = \(Self.count);
      """)
    try migrate(type) { migration in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["name"] = "m\(old!["number"]!)"
      }
    }
    try expectEqual(column("name"), expected { "m\($0)" })
  }

  @Test
  func `A loop ends with the error of a statement that failed while the closure ran`() throws {
    try folder.execute(
      """
      CREATE TRIGGER guard AFTER UPDATE ON Person WHEN old._id = 1000
      BEGIN SELECT RAISE(ABORT, 'Nobody changes 1000'); END
      """)
    let before = try folder.dump()
    expectError(containing: "Nobody changes 1000") {
      try migrate(Numbered.Same.Person.self) { migration in
        var seen = 0
        migration.enumerateObjects(ofType: "Person") { _, new in
          seen += 1
          new!["name"] = "set"
        }
        expectTrue(seen < Self.count)
      }
    }
    try expectEqual(folder.dump(), before)
  }
}
