import Foundation
import Strata

extension APIUses {
  func useMigration() {
    heading = "Migration"
    use(
      "schemaVersionAtURL(_:encryptionKey:)",
      try schemaVersionAtURL(url, encryptionKey: nil) as UInt64)
    use("MigrationBlock", MigrationBlock.self)
    use("MigrationObject", MigrationObject.self)
    use("MigrationObjectEnumerateBlock", MigrationObjectEnumerateBlock.self)
    use("oldSchema", migration.oldSchema as Schema)
    use("newSchema", migration.newSchema as Schema)
    uses("enumerateObjects(ofType:_:)") {
      migration.enumerateObjects(ofType: "Person") { (_: MigrationObject?, _: MigrationObject?) in }
    }
    use("create(_:value:)", migration.create("Person", value: ["name": "Ada"]) as MigrationObject)
    uses("delete(_:)") { migration.delete(object) }
    use("deleteData(forType:)", migration.deleteData(forType: "Person") as Bool)
    uses("renameProperty(onType:from:to:)") {
      migration.renameProperty(onType: "Person", from: "a", to: "b")
    }
  }

  func useLogging() {
    heading = "Logging"
    use("Logger", Logger.self)
    uses("Logger.shared") { Logger.shared = Logger.shared }
    use("Logger.init(level:function:)", Logger(level: .info) { (_: LogLevel, _: String) in })
    uses("Logger.level") { Logger.shared.level = .debug }
    uses("Logger.setLogLevel(_:for:)") { Logger.setLogLevel(.warn) }
    use(
      "LogLevel", [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all] as [LogLevel])
  }

  func useDynamicObject() {
    heading = "DynamicObject"
    use("isSameObject(as:)", object.isSameObject(as: nil as Person?))
    use("subscript(_:)", object["name"] as Any?)
    uses("subscript(_:) to set") { object["name"] = "Ada" }
    use("subscript(dynamicMember:)", object.name as Any?)
    use("value(forKey:)", object.value(forKey: "name") as Any?)
    uses("setValue(_:forKey:)") { object.setValue("Ada", forKey: "name") }
    use("dynamicList(_:)", object.dynamicList("dogs") as List<DynamicObject>)
    use("dynamicMutableSet(_:)", object.dynamicMutableSet("friends") as MutableSet<DynamicObject>)
    use("dynamicMap(_:)", object.dynamicMap("kennel") as Map<String, DynamicObject?>)
    use("objectSchema", object.objectSchema as ObjectSchema)
    use("isInvalidated", object.isInvalidated)
    use("realm", object.realm as Realm?)
    use("description", object.description)
    use("==", object == object)
    use(
      "observe(keyPaths:on:_:)",
      object.observe(keyPaths: ["name"], on: queue) { (_: ObjectChange<DynamicObject>) in }
        as NotificationToken)
    use("freeze()", object.freeze() as DynamicObject)
    use("thaw()", object.thaw() as DynamicObject?)
  }

  func useSchema() {
    heading = "Schema"
    use("objectSchema", schema.objectSchema as [ObjectSchema])
    use("subscript(_:)", schema["Person"] as ObjectSchema?)
    use("description", schema.description)
    use("==", schema == schema)
    use("ObjectSchema.className", objectSchema.className as String)
    use("ObjectSchema.objectClass", objectSchema.objectClass)
    use("ObjectSchema.properties", objectSchema.properties as [Property])
    use("ObjectSchema.primaryKeyProperty", objectSchema.primaryKeyProperty as Property?)
    use("ObjectSchema.subscript(_:)", objectSchema["name"] as Property?)
    use("ObjectSchema.description", objectSchema.description)
    use("ObjectSchema.==", objectSchema == objectSchema)
    use("Property.name", property.name as String)
    use("Property.columnName", property.columnName as String)
    use("Property.type", property.type as PropertyType)
    use("Property.isArray", property.isArray)
    use("Property.isSet", property.isSet)
    use("Property.isMap", property.isMap)
    use("Property.isIndexed", property.isIndexed)
    use("Property.isOptional", property.isOptional)
    use("Property.objectClassName", property.objectClassName as String?)
    use("Property.description", property.description)
    use("Property.==", property == property)
    use("PropertyType.int", PropertyType.int)
    use("PropertyType.bool", PropertyType.bool)
    use("PropertyType.float", PropertyType.float)
    use("PropertyType.double", PropertyType.double)
    use("PropertyType.string", PropertyType.string)
    use("PropertyType.data", PropertyType.data)
    use("PropertyType.any", PropertyType.any)
    use("PropertyType.date", PropertyType.date)
    use("PropertyType.object", PropertyType.object)
    use("PropertyType.linkingObjects", PropertyType.linkingObjects)
    use("PropertyType.objectId", PropertyType.objectId)
    use("PropertyType.decimal128", PropertyType.decimal128)
    use("PropertyType.UUID", PropertyType.UUID)
  }
}
