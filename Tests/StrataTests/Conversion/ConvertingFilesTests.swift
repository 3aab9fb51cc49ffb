import Foundation
import GRDB
import StrataSchema
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
    #expect(Set(report.classes.map(\.name)) == Set(json["classes"].members.keys))
    try folder.sql { db in
      let rows = try ConvertedRows(db, json)
      for (name, item) in json["classes"].members {
        let values = try rows.values(of: name, item)
        let expected = item.expectedValues()
        #expect(values.count == expected.count, "\(name)")
        for (index, (actual, expected)) in zip(values, expected).enumerated() {
          for (property, pair) in zip(item["properties"].elements, zip(actual, expected))
          where pair.0 != pair.1 {
            Issue.record(
              "\(name) \(index) \(property["name"].text ?? ""): \(pair.0), not \(pair.1)")
          }
        }
      }
    }
    #expect(try Realm.problems(for: .init(fileURL: folder.file)).isEmpty)
    #expect(try schemaVersionAtURL(folder.file) == UInt64(json["schemaVersion"].number ?? 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["test.sqlite"])
    #expect(try Data(contentsOf: file.url) == before)
  }
}
