import Foundation
import GRDB
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite("Converting files of Realm")
struct ConvertingFilesTests {
  @Test(arguments: RealmWrittenFile.all)
  func `Every value of a file that Realm wrote is in the new one`(_ file: RealmWrittenFile) throws {
    let folder = try TestFolder()
    let before = try Data(contentsOf: file.url)
    let report = try Realm.convert(
      realmFile: file.url, encryptionKey: file.cipher(), toFile: folder.file,
      choices: RealmWrittenFile.choices)
    let json = try file.json()
    expectEqual(Set(report.classes.map(\.name)), Set(json["classes"].members.keys))
    try folder.sql { db in
      let rows = try ConvertedRows(db, json)
      for (name, item) in json["classes"].members {
        let values = try rows.values(of: name, item)
        let expected = item.expectedValues()
        expectEqual(values.count, expected.count, "\(name)")
        for (index, (actual, expected)) in zip(values, expected).enumerated() {
          for (property, pair) in zip(item["properties"].elements, zip(actual, expected))
          where pair.0 != pair.1 {
            Issue.record(
              "\(name) \(index) \(property["name"].text ?? ""): \(pair.0), not \(pair.1)")
          }
        }
      }
    }
    try expectTrue(Realm.problems(for: .init(fileURL: folder.file)).isEmpty)
    try expectEqual(schemaVersionAtURL(folder.file), UInt64(json["schemaVersion"].number ?? 0))
    try expectEqual(folder.names(), ["test.sqlite"])
    try expectEqual(Data(contentsOf: file.url), before)
  }

  @Test(arguments: RealmWrittenFile.all)
  func `A migration sees every value of a file that Realm wrote`(_ file: RealmWrittenFile) throws {
    let folder = try TestFolder()
    let json = try file.json()
    let version = UInt64(json["schemaVersion"].number ?? 0)
    let differences = Heard<String>()
    let count = Heard<Int>()
    var configuration = folder.configuration([], version: version + 1) { migration, old in
      var seen = SeenValue(keys: [:])
      for (name, item) in json["classes"].members {
        var keys = item["objects"].elements.compactMap(\.self["key"].number)[...]
        migration.enumerateObjects(ofType: name) { object, _ in
          if let object { seen.keys[name, default: [:]][object.rowID] = keys.popFirst() }
        }
      }
      for (name, item) in json["classes"].members {
        var expected = item.expectedValues()[...]
        migration.enumerateObjects(ofType: name) { object, _ in
          guard let object, let values = expected.popFirst() else {
            return differences.add("\(name): too many objects")
          }
          for (property, value) in zip(item["properties"].elements, values) {
            let column = property["name"].text ?? ""
            let text = seen.text(object[column], of: property)
            count.add(1)
            if text != value { differences.add("\(name).\(column): \(text), not \(value)") }
          }
        }
        if !expected.isEmpty {
          differences.add("\(name): \(expected.count) objects are missing")
        }
      }
    }
    configuration.convertsRealmFile = .automatically(
      from: file.url, encryptionKey: try file.cipher(), choices: RealmWrittenFile.choices)
    _ = try Realm(configuration: configuration)
    expectTrue(differences.all.isEmpty)
    expectEqual(
      count.all.count,
      json["classes"].members.values.reduce(0) {
        $0 + $1["objects"].elements.count * $1["properties"].elements.count
      })
  }
}
