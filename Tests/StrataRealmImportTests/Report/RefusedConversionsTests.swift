import Foundation
import GRDB
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport

@Suite("Refused conversions")
struct RefusedConversionsTests {
  private let folder: TestFolder
  private var old: URL { folder.url.appendingPathComponent("old.realm") }

  init() throws { folder = try TestFolder() }

  /// The lines of the error between the first and the last one, and that nothing was written.
  private func refusal(
    _ choices: Set<ConversionChoice> = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let bytes = try Data(contentsOf: old)
    let error = thrownError {
      try Realm.convert(realmFile: old, toFile: folder.file, choices: choices)
    }
    let lines = error?.message.split(separator: "\n").map(String.init) ?? []
    expectEqual(
      lines.first,
      "'\(old.path)' can't be converted: it has what a file of this library can't hold.",
      sourceLocation: sourceLocation)
    expectEqual(lines.last, "Nothing was written.", sourceLocation: sourceLocation)
    expectEqual(error?.code, .fail, sourceLocation: sourceLocation)
    expectTrue(error?.underlyingError is ConversionRefusal, sourceLocation: sourceLocation)
    try expectNothingBeside(sourceLocation)
    try expectEqual(Data(contentsOf: old), bytes, sourceLocation: sourceLocation)
    return Array(lines.dropFirst().dropLast())
  }

  private func expectNothingBeside(_ sourceLocation: SourceLocation) throws {
    try expectEqual(folder.names(), ["old.realm"], sourceLocation: sourceLocation)
  }

  /// Converts, and reads a column.
  private func values(
    _ column: String, of table: String = "Person", _ choices: Set<ConversionChoice>
  ) throws -> [String] {
    try Realm.convert(realmFile: old, toFile: folder.file, choices: choices)
    return try folder.texts("SELECT quote(\"\(column)\") FROM \"\(table)\" ORDER BY _id")
  }

  @Test func `NaN is refused, or becomes nil`() throws {
    try ForgedFile.weights([1.5, .nan], isOptional: true, at: old)
    try expectEqual(
      refusal(),
      [
        "- Person.weight of object 1: a number that is NaN. Choose '.nan(.asNil)', or "
          + "'.nan(.asNilOrZero)' for required properties."
      ])
    try expectEqual(values("weight", [.nan(.asNil)]), ["1.5", "NULL"])
  }

  @Test func `NaN of a required property is refused, or becomes 0`() throws {
    try ForgedFile.weights([.nan, 1.5, .nan], isOptional: false, at: old)
    try expectEqual(refusal([.nan(.asNil)]).count, 1)
    try expectEqual(values("weight", [.nan(.asNilOrZero)]), ["0.0", "1.5", "0.0"])
  }

  @Test func `The first three of many are named, and a hundred are listed`() throws {
    try ForgedFile.weights(Array(repeating: .nan, count: 250), isOptional: true, at: old)
    try expectEqual(
      refusal(),
      [
        "- Person.weight of object 0: a number that is NaN; Person.weight of object 1: a number that "
          + "is NaN; Person.weight of object 2: a number that is NaN; and 247 more. Choose "
          + "'.nan(.asNil)', or '.nan(.asNilOrZero)' for required properties."
      ])
    let forecast = try Realm.conversionForecast(realmFile: old)
    expectFalse(forecast.isPossible)
    expectEqual(forecast.obstacles.count, 250)
    expectEqual(forecast.obstacles[.nan].map(\.objectKey), (0..<100).map(Optional.some))
  }

  @Test func `Dates before the year 0 and after 9999 are refused, or clamped`() throws {
    let seconds: [Int64] = [.min, -62_167_219_201, 0, 253_402_300_800]
    try ForgedFile.write(
      [
        .init(
          name: "Person", columns: [.init(name: "born", type: 8)], count: 4,
          leaves: { [ForgedFile.dates(seconds, &$0)] })
      ], to: old)
    try expectEqual(
      refusal(),
      [
        "- Person.born of object 0: a date outside of the years 0 to 9999; Person.born of object 1: a "
          + "date outside of the years 0 to 9999; Person.born of object 3: a date outside of the years "
          + "0 to 9999. Choose '.dates(.clamped)', or '.dates(.asNil)' for optional properties."
      ])
    try expectEqual(refusal([.dates(.asNil)]).count, 1)
    try expectEqual(
      values("born", [.dates(.clamped)]),
      [
        "'0000-01-01 00:00:00.000000000'", "'0000-01-01 00:00:00.000000000'",
        "'1970-01-01 00:00:00.000000000'", "'9999-12-31 23:59:59.999969482'",
      ])
  }

  @Test func `A text that is not UTF-8 is refused, or repaired`() throws {
    try ForgedFile.write(
      [
        .init(
          name: "Person", columns: [.init(name: "name", type: 2)], count: 2,
          leaves: { [$0.texts(["Ann", "~~"])] })
      ], to: old)
    try ForgedFile.spoil("~~", in: old)
    try expectEqual(
      refusal(),
      [
        "- Person.name of object 1: a text that is not UTF-8. Choose '.invalidText(.repaired)'."
      ])
    try expectEqual(values("name", [.invalidText(.repaired)]), ["'Ann'", "'\u{FFFD}\u{FFFD}'"])
  }

  @Test func `A link to nothing is refused, or becomes nil, or leaves its list`() throws {
    try ForgedFile.write(
      [
        .init(
          name: "Person",
          columns: [
            .init(name: "boss", type: 12, attributes: ForgedFile.nullable, target: 0),
            .init(name: "friends", type: 12, attributes: ForgedFile.list, target: 0),
          ], count: 2,
          leaves: { writer in
            let friends = writer.integers([1, 8, 0])
            return [writer.integers([2, 9]), writer.refs([.ref(friends), .none])]
          })
      ], to: old)
    // A list of links has another key of its column.
    try expectEqual(
      refusal(),
      [
        "- Person.friends of object 0: a link to an object that the file doesn't have; Person.boss of "
          + "object 1: a link to an object that the file doesn't have. Choose '.danglingLinks(.asNil)'."
      ])
    try expectEqual(values("boss", [.danglingLinks(.asNil)]), ["2", "NULL"])
    let friends = try folder.sql {
      try Row.fetchAll($0, sql: "SELECT owner, position, value FROM Person_friends ORDER BY 1, 2")
        .map {
          [$0[0], $0[1], $0[2]] as [Int]
        }
    }
    expectEqual(friends, [[1, 0, 2], [1, 1, 1]])
  }

  @Test func `Two objects with the same primary key are refused`() throws {
    try ForgedFile.write(
      [
        .init(
          name: "Person", columns: [.init(name: "name", type: 2)], count: 3, primaryKey: 0,
          leaves: { [$0.texts(["Ann", "Bob", "Ann"])] })
      ], to: old)
    try expectEqual(
      refusal(),
      [
        "- Person.name of object 2: the same key twice. The file is damaged: convert a backup of it, or "
          + "repair the objects with Realm."
      ])
  }

  @Test func `An embedded object has one parent`() throws {
    try ForgedFile.write(
      [
        .init(
          name: "Person",
          columns: [.init(name: "home", type: 12, attributes: ForgedFile.nullable, target: 1)],
          count: 2, leaves: { [$0.integers([1, 1])] }),
        .init(
          name: "Address", columns: [.init(name: "street", type: 2)], count: 2, flags: 1,
          leaves: { [$0.texts(["Quay", "Hill"])] }),
      ], to: old)
    try expectEqual(
      refusal(),
      [
        "- Address of object 0: an embedded object that has two parents. The file is damaged: convert "
          + "a backup of it, or repair the objects with Realm.",
        "- Address of object 1: an embedded object without a parent. The file is damaged: convert a "
          + "backup of it, or repair the objects with Realm.",
      ])
  }

  @Test func `An asymmetric class is refused, or left out`() throws {
    try ForgedFile.write(
      [
        .init(
          name: "Event", columns: [.init(name: "text", type: 2)], count: 1, flags: 2,
          leaves: { [$0.texts(["login"])] }),
        .init(
          name: "Person", columns: [.init(name: "name", type: 2)], count: 1,
          leaves: { [$0.texts(["Ann"])] }),
      ], to: old)
    try expectEqual(
      refusal(), ["- Event: an asymmetric class. Choose '.asymmetricClasses(.leftOut)'."])
    try expectEqual(values("name", [.asymmetricClasses(.leftOut)]), ["'Ann'"])
  }

  @Test func `Names that SQLite can't tell apart are refused`() throws {
    try ForgedFile.write(
      ["Person", "person"].map { name in
        .init(
          name: name, columns: [.init(name: "name", type: 2)], count: 1,
          leaves: { [$0.texts(["Ann"])] })
      }, to: old)
    try expectEqual(
      refusal(),
      [
        "- Types 'Person' and 'person' differ only in case and would share one table. Rename it with "
          + "Realm, in a migration of the old program."
      ])
  }

  @Test func `Two choices about the same are an error`() throws {
    try ForgedFile.weights([1], isOptional: true, at: old)
    let error = thrownError {
      try Realm.convert(
        realmFile: old, toFile: folder.file, choices: [.nan(.asNil), .nan(.asNilOrZero)])
    }
    expectEqual(
      error?.message, "A conversion has two different choices '.nan'. Leave one of them.")
  }

  @Test func `The report and the forecast are tables`() throws {
    try ForgedFile.weights([.nan, 1], isOptional: true, at: old)
    let forecast = try Realm.conversionForecast(realmFile: old)
    expectEqual(
      forecast.description,
      """
      '\(old.path)' (format 24, without a schema version) can't be converted as it is:
        class   objects  links  elements
        Person        2      0         0
      Can't be stored:
      - Person.weight of object 0: a number that is NaN. Choose '.nan(.asNil)', or \
      '.nan(.asNilOrZero)' for required properties.
      """)
    var report = try Realm.convert(
      realmFile: old, toFile: folder.file, choices: [.nan(.asNil)])
    report.duration = .milliseconds(7)
    expectEqual(
      report.description,
      """
      '\(old.path)' (format 24) became '\(folder.file.path)' at schema version 0, in 7 ms:
        class   objects  links  elements
        Person        2      0         0
      Changed, as the choices say:
      - Person.weight of object 0: a number that is NaN.
      """)
    expectEqual(report.read, report.written)
  }
}
