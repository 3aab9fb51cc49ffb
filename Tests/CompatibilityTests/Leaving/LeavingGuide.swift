import Foundation
import Strata
import StrataRealmFile
import StrataRealmFileEncryption

/// The code of docs/leaving-realm.md.
enum LeavingGuide {
  class Person: Object {
    @Persisted(indexed: true) var fullName = ""
    @Persisted var dogs: List<Dog>
  }

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }

  static func appConfiguration(_ oldURL: URL, _ newURL: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: newURL, schemaVersion: 4,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 4 {
          migration.renameProperty(onType: "Person", from: "name", to: "fullName")
        }
      }, objectTypes: [Person.self, Dog.self])
    configuration.convertsRealmFile = .automatically(from: oldURL)
    return configuration
  }

  #if EncryptedRealmFiles
    static func withKey(
      _ configuration: inout Realm.Configuration, _ oldURL: URL, _ key: Data
    ) throws {
      configuration.convertsRealmFile = .automatically(
        from: oldURL, encryptionKey: try RealmFileKey(key))
    }
  #endif

  static func withChoices(_ configuration: inout Realm.Configuration, _ oldURL: URL) {
    configuration.convertsRealmFile = .automatically(
      from: oldURL, choices: [.nan(.asNilOrZero), .dates(.clamped), .invalidText(.repaired)],
      progress: { progress in print(progress.fractionCompleted) },
      didConvert: { report in print(report) })
  }

  static func lookAhead(_ oldURL: URL) throws -> [String: Int] {
    let forecast = try Realm.conversionForecast(realmFile: oldURL)
    print(forecast)
    return Dictionary(
      uniqueKeysWithValues: forecast.obstacles.counts.map { ($0.key.rawValue, $0.value) })
  }

  static func receive(_ upload: URL, for configuration: Realm.Configuration) async throws -> Bool {
    do {
      let report = try await Realm.convert(
        realmFile: upload, to: configuration, choices: [.invalidText(.repaired)],
        limits: RealmFileLimits(decodedBytesPerByte: 16, decodedBytes: 16_000_000))
      print("\(report.written.objects) of \(report.read.objects) objects")
      return true
    } catch let error as Realm.Error {
      if let refusal = error.underlyingError as? ConversionRefusal {
        for finding in refusal.findings.listed { print(finding) }
      }
      if let unreadable = error.underlyingError as? RealmFileError {
        print(unreadable.code, unreadable.place)
      }
      return false
    }
  }

  static func withoutClasses(_ oldURL: URL, _ newURL: URL) throws {
    try Realm.convert(realmFile: oldURL, toFile: newURL)
  }

  static func look(_ oldURL: URL) throws {
    let file = try RealmFile(oldURL)
    for item in file.classes { print(item.name, item.count) }
    if let person = try file.object("Person", key: 4) { print(person) }
  }

  static func rollBack(_ configuration: Realm.Configuration) throws {
    try Realm.deleteFiles(for: configuration)
  }
}
