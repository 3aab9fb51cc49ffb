import Foundation
import GRDB
import Strata
import StrataSchema

/// The check that programs of an older version can use a migrated file.
struct OlderProgramCheck {
  let frozen: FrozenSchema
  let file: URL
  let newest: Realm.Configuration
  /// The use that the programs must be able to make of the file.
  let wanted: MigrationForecast.OlderProgram.Use

  /// Returns the problems as sentences: the reasons why the programs can't use the file, or the
  /// failures of using it.
  func problems() throws -> [String] {
    let program = try Realm.use(
      of: file, newest.encryptionKey, by: frozen.schema, version: UInt64(frozen.version))
    let isEnough = program.use == .writing || (wanted == .reading && program.use == .reading)
    guard isEnough, wanted == .reading || program.refusedAdditions.isEmpty else {
      return [program.description]
    }
    let before = try contents()
    do {
      try use()
    } catch {
      return [
        "Programs of version \(frozen.version) fail: \((error as? Realm.Error)?.message ?? "\(error)")"
      ]
    }
    guard let difference = lineDifference(before, try contents()) else { return [] }
    return [
      """
      Objects differ after a program of version \(frozen.version) has changed them and taken the changes back:

      \(difference)
      """
    ]
  }

  private func older() throws -> Realm.Configuration {
    var configuration = newest
    configuration.fileURL = file
    configuration.schemaVersion = UInt64(frozen.version)
    configuration.migrationBlock = nil
    configuration.migrationPlan = nil
    configuration.objectTypes = try frozen.madeTypes()
    configuration.opensNewerVersions = true
    configuration.readOnly = wanted == .reading
    return configuration
  }

  /// Reads everything with the classes of the older version; then changes each object, and adds an
  /// object to each class and deletes it.
  private func use() throws {
    let realm = try Realm(configuration: older())
    for object in frozen.schema.objectSchema where !object.isEmbedded {
      for found in realm.dynamicObjects(object.className) {
        for property in object.properties { _ = found[property.name] }
      }
      guard wanted == .writing else { continue }
      try change(object, realm)
      try add(object, realm)
    }
  }

  private func change(_ object: ObjectSchema, _ realm: Realm) throws {
    let settable = object.properties.filter {
      $0.collection == nil && $0.type != .object && $0.name != object.primaryKeyProperty?.name
    }
    for found in realm.dynamicObjects(object.className) {
      let before = settable.map { found[$0.name] }
      try realm.write {
        for property in settable { found[property.name] = Self.sample(property) }
      }
      try realm.write {
        for (property, value) in zip(settable, before) { found[property.name] = value }
      }
    }
  }

  private func add(_ object: ObjectSchema, _ realm: Realm) throws {
    var added: DynamicObject?
    try realm.write {
      var values: [String: Any] = [:]
      for property in object.properties where property.type != .object {
        let sample = Self.sample(property)
        switch property.collection {
        case nil: values[property.name] = sample
        case .list, .set: values[property.name] = [sample]
        case .map: values[property.name] = ["key": sample]
        }
      }
      added = realm.dynamicCreate(object.className, value: values)
    }
    guard let added else { return }
    for property in object.properties { _ = added[property.name] }
    try realm.write { realm.delete(added) }
  }

  /// Returns a value that no other object has, of the type of a property.
  private static func sample(_ property: Property) -> Any {
    switch property.type {
    case .int: Int.random(in: 100...120)
    case .bool: true
    case .float: Float(1.5)
    case .double: 1.5
    case .string: UUID().uuidString
    case .data: Data([1, 2])
    case .date: Date(timeIntervalSince1970: 1)
    case .UUID: UUID()
    case .objectId: ObjectId.generate()
    case .decimal128: Decimal128(1)
    case .any: "any"
    case .object, .linkingObjects: NSNull()
    }
  }

  /// Returns the contents, after the newest program has read all objects.
  private func contents() throws -> [String] {
    let realm = try Realm(configuration: newest.moved(to: file))
    var tables: Set<String> = []
    for object in realm.schema.stored.objectSchema {
      tables.formUnion([object.className] + object.collectionTables.map(\.name))
      guard !object.isEmbedded else { continue }
      for found in realm.dynamicObjects(object.className) {
        for property in object.properties { _ = found[property.name] }
      }
    }
    return try DatabaseQueue.plain(file).inDatabase { try FileDump($0).contents(of: tables) }
  }
}
