import Foundation
import GRDB
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private enum Linked {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Target?
  }

  class Target: Object {
    @Persisted(originProperty: "link") var owners: LinkingObjects<Owner>
  }
}

/// Files without their programs: each object must match the result of SQL.
@Suite struct DynamicFilesTests {
  private static let files: [URL] = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let fixtures = root.appendingPathComponent("Fixtures")
    let names = FileManager.default.enumerator(atPath: fixtures.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
      .map { fixtures.appendingPathComponent($0) }
  }()

  @Test(arguments: [DynamicClasses.all, .others])
  func `A class that has linking objects only is read`(
    classes: DynamicClasses
  ) throws {
    let folder = try TestFolder()
    try autoreleasepool {
      let realm = try Realm(
        configuration: folder.configuration([Linked.Owner.self, Linked.Target.self]))
      try realm.write { realm.add(Linked.Owner(value: ["a", Linked.Target()])) }
    }
    var configuration = Realm.Configuration(
      fileURL: folder.file, objectTypes: classes == .all ? nil : [])
    configuration.dynamicClasses = classes
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.dynamicObjects("Owner").count, 1)
    expectEqual(realm.dynamicObjects("Target").count, 1)
  }

  @Test func `There are files`() { expectTrue(Self.files.count > 10) }

  @Test(arguments: files) func `Each value is that of the file`(file: URL) throws {
    let folder = try TestFolder()
    try FileManager.default.copyItem(at: file, to: folder.file)
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    let realm = try Realm(configuration: configuration)
    var values = 0
    for schema in realm.schema.objectSchema {
      let table = SQLName.quote(schema.className)
      for property in schema.properties {
        let column = SQLName.quote(property.columnName)
        let id = SQLName.quote(schema.identityColumn)
        let sql =
          property.collection == nil
          ? "SELECT \(id), \(column) FROM \(table) ORDER BY 1"
          : "SELECT t.\(id), (SELECT count(*) FROM \(SQLName.quote(tableName(property, schema))) AS c "
            + "WHERE c.owner = t.\(id)) FROM \(table) AS t ORDER BY 1"
        let rows = try folder.sql { db in
          try Row.fetchAll(db, sql: sql).map { ($0[0] as Int64, $0[1] as DatabaseValue) }
        }
        expectEqual(rows.count, realm.dynamicObjects(schema.className).count)
        for (identity, expected) in rows {
          let object = try #require(
            realm.dynamicObject(ofType: schema.className, identity: identity))
          expectEqual(stored(object[property.name], property), expected)
          values += 1
        }
      }
    }
    expectTrue(values > 0 || realm.isEmpty)
  }

  private func tableName(_ property: Property, _ schema: ObjectSchema) -> String {
    CollectionTable.name(className: schema.className, property: property)
  }

  /// A value as the file has it; of a collection the number of its elements.
  private func stored(_ value: Any?, _ property: Property) -> DatabaseValue {
    if property.collection != nil {
      let elements = value as? any Collection
      return (elements?.count ?? -1).databaseValue
    }
    if let object = value as? ObjectBase { return object._rowID.databaseValue }
    guard let value else { return .null }
    let element =
      property.type == .any
      ? AnyRealmValue.converting(value)?.storedElement?.value : property.storedValue(value)
    return switch element {
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    case .null, nil: .null
    }
  }
}
