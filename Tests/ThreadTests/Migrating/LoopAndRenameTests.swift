import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Loops that rebuild a table, and remove the columns that the program no longer has.
@Suite("Renames after a loop that removed the columns")
struct LoopAndRenameTests {
  enum Old {
    class Person: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var city = ""
      @Persisted var age: Int?
      @Persisted var note: AnyRealmValue
    }
  }
  enum New {
    class Person: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var town = ""
      @Persisted var years: Int?
      @Persisted var note: AnyRealmValue
    }
  }

  @Test(arguments: [3, 2_000])
  func `A rename after a loop that removed the columns brings the remaining values back`(count: Int)
    throws
  {
    let folder = try TestFolder()
    try folder.write([Old.Person.self]) { realm in
      for number in 0..<count {
        realm.create(
          Old.Person.self,
          value: [
            "name": "n\(number)", "city": "c\(number)",
            "age": number.isMultiple(of: 2) ? number : nil, "note": "x",
          ] as [String: Any?])
      }
    }
    try folder.open(
      [New.Person.self], version: 1,
      { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["town"] = "overwritten by the rename"
          new!["name"] = "\(old!["city"]!)!"
          if old!["name"] as? String == "n1" { migration.delete(new!) }
        }
        migration.create("Person", value: ["name": "made", "town": "t", "years": 7])
        migration.renameProperty(onType: "Person", from: "city", to: "town")
        migration.renameProperty(onType: "Person", from: "age", to: "years")
        migration.enumerateObjects(ofType: "Person") { old, new in
          expectEqual(new!["town"] as? String, old!["city"] as? String)
          expectEqual(new!["years"] as? Int, old!["age"] as? Int)
        }
      }
    ) { realm in
      let people = realm.objects(New.Person.self)
      expectEqual(people.count, count)
      expectEqual(people.first?.town, "c0")
      expectEqual(people.first?.years, 0)
      expectEqual(people.last?.name, "made")
      expectEqual(people.last?.town, "")
    }
    let columns = try folder.sql { try $0.columns(in: "Person").map(\.name) }
    expectEqual(Set(columns), ["_id", "name", "town", "years", "note", "note_type"])
  }

  @Test(
    arguments: [true, false])
  func `A rename to another removed column is refused when the types differ`(isAfterLoop: Bool)
    throws
  {
    let folder = try TestFolder()
    try folder.write([Old.Person.self]) { realm in
      realm.create(Old.Person.self, value: ["name": "n"])
    }
    let error = try folder.expectUntouched([New.Person.self], version: 1) { migration, _ in
      if isAfterLoop { migration.enumerateObjects(ofType: "Person") { _, _ in } }
      migration.renameProperty(onType: "Person", from: "city", to: "age")
    }
    expectEqual(
      error?.message.contains(
        "Cannot rename property 'Person.city' to 'age' because it would change from type 'string'"),
      true)
  }
}
