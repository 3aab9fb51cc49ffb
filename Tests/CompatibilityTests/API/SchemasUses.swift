import Foundation
import Strata

extension APIUses {
  func migration() {
    use("Migration", "schemaVersionAtURL(_:encryptionKey:)") { things in
      _ = try schemaVersionAtURL(things.url, encryptionKey: nil) as UInt64
    }
    use("Migration", "MigrationBlock") { things in
      _ = MigrationBlock.self
    }
    use("Migration", "MigrationObject") { things in
      _ = MigrationObject.self
    }
    use("Migration", "MigrationObjectEnumerateBlock") { things in
      _ = MigrationObjectEnumerateBlock.self
    }
    use("Migration", "oldSchema") { things in
      _ = things.migration.oldSchema as Schema
    }
    use("Migration", "newSchema") { things in
      _ = things.migration.newSchema as Schema
    }
    use("Migration", "enumerateObjects(ofType:_:)") { things in
      things.migration.enumerateObjects(ofType: "Person") {
        (_: MigrationObject?, _: MigrationObject?) in
      }
    }
    use("Migration", "create(_:value:)") { things in
      _ = things.migration.create("Person", value: ["name": "Ada"]) as MigrationObject
    }
    use("Migration", "delete(_:)") { things in
      things.migration.delete(things.dynamic)
    }
    use("Migration", "deleteData(forType:)") { things in
      _ = things.migration.deleteData(forType: "Person") as Bool
    }
    use("Migration", "renameProperty(onType:from:to:)") { things in
      things.migration.renameProperty(onType: "Person", from: "a", to: "b")
    }
  }

  func logging() {
    use("Logging", "Logger") { _ in
      _ = Logger.self
    }
    use("Logging", "Logger.shared") { _ in
      Logger.shared = Logger.shared
    }
    use("Logging", "Logger.init(level:function:)") { _ in
      _ = Logger(level: .info) { (_: LogLevel, _: String) in }
    }
    use("Logging", "Logger.level") { _ in
      Logger.shared.level = .debug
    }
    use("Logging", "Logger.setLogLevel(_:for:)") { _ in
      Logger.setLogLevel(.warn)
    }
    use("Logging", "LogLevel") { _ in
      _ = [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all] as [LogLevel]
    }
  }

  func dynamicObject() {
    use("DynamicObject", "isSameObject(as:)") { things in
      _ = things.dynamic.isSameObject(as: nil as Person?)
    }
    use("DynamicObject", "subscript(_:)") { things in
      _ = things.dynamic["name"] as Any?
    }
    use("DynamicObject", "subscript(_:) to set") { things in
      things.dynamic["name"] = "Ada"
    }
    use("DynamicObject", "subscript(dynamicMember:)") { things in
      _ = things.dynamic.name as Any?
    }
    use("DynamicObject", "value(forKey:)") { things in
      _ = things.dynamic.value(forKey: "name") as Any?
    }
    use("DynamicObject", "setValue(_:forKey:)") { things in
      things.dynamic.setValue("Ada", forKey: "name")
    }
    use("DynamicObject", "dynamicList(_:)") { things in
      _ = things.dynamic.dynamicList("dogs") as List<DynamicObject>
    }
    use("DynamicObject", "dynamicMutableSet(_:)") { things in
      _ = things.dynamic.dynamicMutableSet("friends") as MutableSet<DynamicObject>
    }
    use("DynamicObject", "dynamicMap(_:)") { things in
      _ = things.dynamic.dynamicMap("kennel") as Map<String, DynamicObject?>
    }
    use("DynamicObject", "objectSchema") { things in
      _ = things.dynamic.objectSchema as ObjectSchema
    }
    use("DynamicObject", "isInvalidated") { things in
      _ = things.dynamic.isInvalidated
    }
    use("DynamicObject", "realm") { things in
      _ = things.dynamic.realm as Realm?
    }
    use("DynamicObject", "description") { things in
      _ = things.dynamic.description
    }
    use("DynamicObject", "==") { things in
      _ = things.dynamic == things.dynamic
    }
    use("DynamicObject", "observe(keyPaths:on:_:)") { things in
      _ =
        things.dynamic.observe(keyPaths: ["name"], on: things.queue) {
          (_: ObjectChange<DynamicObject>) in
        } as NotificationToken
    }
    use("DynamicObject", "freeze()") { things in
      _ = things.dynamic.freeze() as DynamicObject
    }
    use("DynamicObject", "thaw()") { things in
      _ = things.dynamic.thaw() as DynamicObject?
    }
  }

  func schema() {
    use("Schema", "objectSchema") { things in
      _ = things.schemas.schema.objectSchema as [ObjectSchema]
    }
    use("Schema", "subscript(_:)") { things in
      _ = things.schemas.schema["Person"] as ObjectSchema?
    }
    use("Schema", "description") { things in
      _ = things.schemas.schema.description
    }
    use("Schema", "==") { things in
      _ = things.schemas.schema == things.schemas.schema
    }
    use("Schema", "ObjectSchema.className") { things in
      _ = things.schemas.objectSchema.className as String
    }
    use("Schema", "ObjectSchema.objectClass") { things in
      _ = things.schemas.objectSchema.objectClass
    }
    use("Schema", "ObjectSchema.properties") { things in
      _ = things.schemas.objectSchema.properties as [Property]
    }
    use("Schema", "ObjectSchema.primaryKeyProperty") { things in
      _ = things.schemas.objectSchema.primaryKeyProperty as Property?
    }
    use("Schema", "ObjectSchema.subscript(_:)") { things in
      _ = things.schemas.objectSchema["name"] as Property?
    }
    use("Schema", "ObjectSchema.description") { things in
      _ = things.schemas.objectSchema.description
    }
    use("Schema", "ObjectSchema.==") { things in
      _ = things.schemas.objectSchema == things.schemas.objectSchema
    }
    use("Schema", "Property.name") { things in
      _ = things.schemas.property.name as String
    }
    use("Schema", "Property.columnName") { things in
      _ = things.schemas.property.columnName as String
    }
    use("Schema", "Property.type") { things in
      _ = things.schemas.property.type as PropertyType
    }
    use("Schema", "Property.isArray") { things in
      _ = things.schemas.property.isArray
    }
    use("Schema", "Property.isSet") { things in
      _ = things.schemas.property.isSet
    }
    use("Schema", "Property.isMap") { things in
      _ = things.schemas.property.isMap
    }
    use("Schema", "Property.isIndexed") { things in
      _ = things.schemas.property.isIndexed
    }
    use("Schema", "Property.isOptional") { things in
      _ = things.schemas.property.isOptional
    }
    use("Schema", "Property.objectClassName") { things in
      _ = things.schemas.property.objectClassName as String?
    }
    use("Schema", "Property.description") { things in
      _ = things.schemas.property.description
    }
    use("Schema", "Property.==") { things in
      _ = things.schemas.property == things.schemas.property
    }
    use("Schema", "PropertyType.int") { things in
      _ = PropertyType.int
    }
    use("Schema", "PropertyType.bool") { things in
      _ = PropertyType.bool
    }
    use("Schema", "PropertyType.float") { things in
      _ = PropertyType.float
    }
    use("Schema", "PropertyType.double") { things in
      _ = PropertyType.double
    }
    use("Schema", "PropertyType.string") { things in
      _ = PropertyType.string
    }
    use("Schema", "PropertyType.data") { things in
      _ = PropertyType.data
    }
    use("Schema", "PropertyType.any") { things in
      _ = PropertyType.any
    }
    use("Schema", "PropertyType.date") { things in
      _ = PropertyType.date
    }
    use("Schema", "PropertyType.object") { things in
      _ = PropertyType.object
    }
    use("Schema", "PropertyType.linkingObjects") { things in
      _ = PropertyType.linkingObjects
    }
    use("Schema", "PropertyType.objectId") { things in
      _ = PropertyType.objectId
    }
    use("Schema", "PropertyType.decimal128") { things in
      _ = PropertyType.decimal128
    }
    use("Schema", "PropertyType.UUID") { things in
      _ = PropertyType.UUID
    }
  }
}
