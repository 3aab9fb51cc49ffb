import Foundation
import Strata

extension APIUses {
  func useObject() {
    heading = "Object"
    use("shouldIncludeInDefaultSchema()", Person.shouldIncludeInDefaultSchema() as Bool)
    use("_realmIgnoreClass()", Person._realmIgnoreClass() as Bool)
    use(
      "observe(keyPaths:on:_:) as a superclass",
      person.observe { (_: ObjectChange<ObjectBase>) in } as NotificationToken)
    use("init()", Person())
    use("init(value:)", Person(value: ["name": "Ada"]))
    use("primaryKey()", Person.primaryKey() as String?)
    use("indexedProperties()", Person.indexedProperties() as [String])
    use("ignoredProperties()", Person.ignoredProperties() as [String])
    use("propertiesMapping()", Person.propertiesMapping() as [String: String])
    use("_realmObjectName()", Person._realmObjectName() as String?)
    use("className()", Person.className() as String)
    use("sharedSchema()", Person.sharedSchema() as ObjectSchema?)
    use("objectSchema", person.objectSchema as ObjectSchema)
    use("realm", person.realm as Realm?)
    use("isInvalidated", person.isInvalidated)
    use("isFrozen", person.isFrozen)
    use("freeze()", person.freeze() as Person)
    use("thaw()", person.thaw() as Person?)
    use("description", person.description)
    use("subscript(_:)", person["name"] as Any?)
    use("value(forKey:)", person.value(forKey: "age") as! Int8)
    uses("setValue(_:forKey:)") { person.setValue(1, forKey: "age") }
    use("value(forKeyPath:)", person.value(forKeyPath: "dog.name") as Any?)
    uses("setValue(_:forKeyPath:)") { person.setValue("Rex", forKeyPath: "dog.name") }
    use("dynamicList(_:)", person.dynamicList("dogs") as List<DynamicObject>)
    use("dynamicMutableSet(_:)", person.dynamicMutableSet("friends") as MutableSet<DynamicObject>)
    use("dynamicMap(_:)", person.dynamicMap("kennel") as Map<String, DynamicObject?>)
    use("isSameObject(as:)", person.isSameObject(as: person))
    use("==", person == person)
    use("hash(into:)", person.hashValue)
    use(
      "observe(keyPaths:on:_:)",
      person.observe(keyPaths: ["name"], on: queue) { (_: ObjectChange<Person>) in }
        as NotificationToken)
    use(
      "observe(keyPaths:on:_:) of key paths",
      person.observe(keyPaths: [\Person.name], on: queue) { (_: ObjectChange<Person>) in }
        as NotificationToken)
    taskUse("observe(keyPaths:on:_:) of an actor") { things in
      _ =
        await things.person.observe(keyPaths: ["name"], on: MainActor.shared) {
          (_, _: ObjectChange<Person>) in
        } as NotificationToken
    }
    taskUse("observe(keyPaths:on:_:) of key paths, of an actor") { things in
      _ =
        await things.person.observe(keyPaths: [\Person.name], on: MainActor.shared) {
          (_, _: ObjectChange<Person>) in
        } as NotificationToken
    }
    use("id", person.id as UInt64)
    use("EmbeddedObject", Address(value: ["city": "Oslo"]))
    use(
      "EmbeddedObject.observe(keyPaths:on:_:)",
      address.observe { (_: ObjectChange<Address>) in } as NotificationToken)
    use("EmbeddedObject.dynamicList(_:)", address.dynamicList("dogs") as List<DynamicObject>)
  }

  func useProperties() {
    heading = "Properties"
    uses("RealmCollectionValue.PersistedType") {
      func stored<T: RealmCollectionValue>(_: T.Type) -> T.PersistedType.Type {
        T.PersistedType.self
      }
      _ = stored(Int?.self)
      func least<T: RealmCollectionValue>(_ list: List<T>) -> T?
      where T.PersistedType: MinMaxType { list.min() }
    }
    uses("_Persistable") {
      func isThere<T: _Persistable>(_: T.Type) {}
      isThere(Kind.self)
    }
    uses("_RealmSchemaDiscoverable") {
      func type<T: _RealmSchemaDiscoverable>(_: T.Type) -> PropertyType { T._rlmType }
      _ = [type(Kind.self), type(Person.self), type(Int?.self), type(List<Int>.self)]
    }
    uses("_HasPersistedType") {
      func stored<T: _HasPersistedType>(_: T.Type) -> T.PersistedType.Type { T.PersistedType.self }
      _ = stored(Int?.self)
    }
    uses("_RealmCollectionValueInsideOptional") {
      func list<T: _RealmCollectionValueInsideOptional>(_: T.Type) -> List<T?> { List() }
      _ = list(Kind.self)
    }
    uses("OptionalProtocol") {
      func isThere<T: OptionalProtocol>(_: T.Type) {}
      isThere(Int?.self)
    }
    uses("_PrimaryKey") {
      func isThere<T: _PrimaryKey>(_: T.Type) {}
      isThere(String.self)
    }
    uses("_ObjcBridgeable") {
      func isThere<T: _ObjcBridgeable>(_: T.Type) {}
      isThere(String.self)
    }
    use("Persisted.init()", Persisted<Int>())
    use("Persisted.init(wrappedValue:)", Persisted(wrappedValue: 1))
    use("Persisted.init(primaryKey:)", Persisted<Int>(primaryKey: true))
    use("Persisted.init(wrappedValue:primaryKey:)", Persisted(wrappedValue: 1, primaryKey: true))
    use("Persisted.init(indexed:)", Persisted<Int>(indexed: true))
    use("Persisted.init(wrappedValue:indexed:)", Persisted(wrappedValue: 1, indexed: true))
    use(
      "Persisted.init(originProperty:)", Persisted<LinkingObjects<Person>>(originProperty: "dogs"))
    use("Persisted.wrappedValue", person.name)
    use("PersistableEnum", Kind.allCases as [Kind])
    use("RealmEnum", OldKind.allCases as [OldKind])
    use("CustomPersistable", (any CustomPersistable).self)
    use("CustomPersistable.PersistedType", Meters.PersistedType.self)
    use("CustomPersistable.init(persistedValue:)", Meters(persistedValue: 1))
    use("CustomPersistable.persistableValue", Meters(persistedValue: 1).persistableValue)
    use("FailableCustomPersistable", (any FailableCustomPersistable).self)
    use("FailableCustomPersistable.init(persistedValue:)", Port(persistedValue: 1) as Port?)
    use("RealmCollectionValue", (any RealmCollectionValue).self)
    use("RealmFetchable", (any RealmFetchable).self)
    use("ObjectKeyIdentifiable", (any ObjectKeyIdentifiable).self)
    use("MinMaxType", (any MinMaxType).self)
    use("AddableType", (any AddableType).self)
    use("SortableType", (any SortableType).self)
    use("ThreadConfined", (any ThreadConfined).self)
    use("_name(for:)", _name(for: \Person.dog?.name) as String)
  }
}
