import Foundation
import Strata

extension APIUses {
  func object() {
    use("Object", "shouldIncludeInDefaultSchema()") { things in
      _ = Person.shouldIncludeInDefaultSchema() as Bool
    }
    use("Object", "_realmIgnoreClass()") { things in
      _ = Person._realmIgnoreClass() as Bool
    }
    use("Object", "observe(keyPaths:on:_:) as a superclass") { things in
      _ = things.person.observe { (_: ObjectChange<ObjectBase>) in } as NotificationToken
    }
    use("Object", "init()") { things in
      _ = Person()
    }
    use("Object", "init(value:)") { things in
      _ = Person(value: ["name": "Ada"])
    }
    use("Object", "primaryKey()") { things in
      _ = Person.primaryKey() as String?
    }
    use("Object", "indexedProperties()") { things in
      _ = Person.indexedProperties() as [String]
    }
    use("Object", "ignoredProperties()") { things in
      _ = Person.ignoredProperties() as [String]
    }
    use("Object", "propertiesMapping()") { things in
      _ = Person.propertiesMapping() as [String: String]
    }
    use("Object", "_realmObjectName()") { things in
      _ = Person._realmObjectName() as String?
    }
    use("Object", "className()") { things in
      _ = Person.className() as String
    }
    use("Object", "sharedSchema()") { things in
      _ = Person.sharedSchema() as ObjectSchema?
    }
    use("Object", "objectSchema") { things in
      _ = things.person.objectSchema as ObjectSchema
    }
    use("Object", "realm") { things in
      _ = things.person.realm as Realm?
    }
    use("Object", "isInvalidated") { things in
      _ = things.person.isInvalidated
    }
    use("Object", "isFrozen") { things in
      _ = things.person.isFrozen
    }
    use("Object", "freeze()") { things in
      _ = things.person.freeze() as Person
    }
    use("Object", "thaw()") { things in
      _ = things.person.thaw() as Person?
    }
    use("Object", "description") { things in
      _ = things.person.description
    }
    use("Object", "subscript(_:)") { things in
      _ = things.person["name"] as Any?
    }
    use("Object", "value(forKey:)") { things in
      _ = things.person.value(forKey: "age") as! Int8
    }
    use("Object", "setValue(_:forKey:)") { things in
      things.person.setValue(1, forKey: "age")
    }
    use("Object", "value(forKeyPath:)") { things in
      _ = things.person.value(forKeyPath: "dog.name") as Any?
    }
    use("Object", "setValue(_:forKeyPath:)") { things in
      things.person.setValue("Rex", forKeyPath: "dog.name")
    }
    use("Object", "dynamicList(_:)") { things in
      _ = things.person.dynamicList("dogs") as List<DynamicObject>
    }
    use("Object", "dynamicMutableSet(_:)") { things in
      _ = things.person.dynamicMutableSet("friends") as MutableSet<DynamicObject>
    }
    use("Object", "dynamicMap(_:)") { things in
      _ = things.person.dynamicMap("kennel") as Map<String, DynamicObject?>
    }
    use("Object", "isSameObject(as:)") { things in
      _ = things.person.isSameObject(as: things.person)
    }
    use("Object", "==") { things in
      _ = things.person == things.person
    }
    use("Object", "hash(into:)") { things in
      _ = things.person.hashValue
    }
    use("Object", "observe(keyPaths:on:_:)") { things in
      _ =
        things.person.observe(keyPaths: ["name"], on: things.queue) { (_: ObjectChange<Person>) in }
        as NotificationToken
    }
    use("Object", "observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.person.observe(keyPaths: [\Person.name], on: things.queue) {
          (_: ObjectChange<Person>) in
        } as NotificationToken
    }
    taskUse("Object", "observe(keyPaths:on:_:) of an actor") { things in
      _ =
        await things.person.observe(keyPaths: ["name"], on: MainActor.shared) {
          (_, _: ObjectChange<Person>) in
        } as NotificationToken
    }
    taskUse("Object", "observe(keyPaths:on:_:) of key paths, of an actor") { things in
      _ =
        await things.person.observe(keyPaths: [\Person.name], on: MainActor.shared) {
          (_, _: ObjectChange<Person>) in
        } as NotificationToken
    }
    use("Object", "id") { things in
      _ = things.person.id as UInt64
    }
    use("Object", "EmbeddedObject") { things in
      _ = Address(value: ["city": "Oslo"])
    }
    use("Object", "EmbeddedObject.observe(keyPaths:on:_:)") { things in
      _ = things.address.observe { (_: ObjectChange<Address>) in } as NotificationToken
    }
    use("Object", "EmbeddedObject.dynamicList(_:)") { things in
      _ = things.address.dynamicList("dogs") as List<DynamicObject>
    }
  }

  func properties() {
    use("Properties", "RealmCollectionValue.PersistedType") { _ in
      func stored<T: RealmCollectionValue>(_: T.Type) -> T.PersistedType.Type {
        T.PersistedType.self
      }
      _ = stored(Int?.self)
      func least<T: RealmCollectionValue>(_ list: List<T>) -> T?
      where T.PersistedType: MinMaxType { list.min() }
    }
    use("Properties", "_Persistable") { _ in
      func isThere<T: _Persistable>(_: T.Type) {}
      isThere(Kind.self)
    }
    use("Properties", "_RealmSchemaDiscoverable") { _ in
      func type<T: _RealmSchemaDiscoverable>(_: T.Type) -> PropertyType { T._rlmType }
      _ = [type(Kind.self), type(Person.self), type(Int?.self), type(List<Int>.self)]
    }
    use("Properties", "_HasPersistedType") { _ in
      func stored<T: _HasPersistedType>(_: T.Type) -> T.PersistedType.Type { T.PersistedType.self }
      _ = stored(Int?.self)
    }
    use("Properties", "_RealmCollectionValueInsideOptional") { _ in
      func list<T: _RealmCollectionValueInsideOptional>(_: T.Type) -> List<T?> { List() }
      _ = list(Kind.self)
    }
    use("Properties", "OptionalProtocol") { _ in
      func isThere<T: OptionalProtocol>(_: T.Type) {}
      isThere(Int?.self)
    }
    use("Properties", "_PrimaryKey") { _ in
      func isThere<T: _PrimaryKey>(_: T.Type) {}
      isThere(String.self)
    }
    use("Properties", "_ObjcBridgeable") { _ in
      func isThere<T: _ObjcBridgeable>(_: T.Type) {}
      isThere(String.self)
    }
    use("Properties", "Persisted.init()") { things in
      _ = Persisted<Int>()
    }
    use("Properties", "Persisted.init(wrappedValue:)") { things in
      _ = Persisted(wrappedValue: 1)
    }
    use("Properties", "Persisted.init(primaryKey:)") { things in
      _ = Persisted<Int>(primaryKey: true)
    }
    use("Properties", "Persisted.init(wrappedValue:primaryKey:)") { things in
      _ = Persisted(wrappedValue: 1, primaryKey: true)
    }
    use("Properties", "Persisted.init(indexed:)") { things in
      _ = Persisted<Int>(indexed: true)
    }
    use("Properties", "Persisted.init(wrappedValue:indexed:)") { things in
      _ = Persisted(wrappedValue: 1, indexed: true)
    }
    use("Properties", "Persisted.init(originProperty:)") { things in
      _ = Persisted<LinkingObjects<Person>>(originProperty: "dogs")
    }
    use("Properties", "Persisted.wrappedValue") { things in
      _ = things.person.name
    }
    use("Properties", "PersistableEnum") { things in
      _ = Kind.allCases as [Kind]
    }
    use("Properties", "RealmEnum") { things in
      _ = OldKind.allCases as [OldKind]
    }
    use("Properties", "CustomPersistable") { things in
      _ = (any CustomPersistable).self
    }
    use("Properties", "CustomPersistable.PersistedType") { things in
      _ = Meters.PersistedType.self
    }
    use("Properties", "CustomPersistable.init(persistedValue:)") { things in
      _ = Meters(persistedValue: 1)
    }
    use("Properties", "CustomPersistable.persistableValue") { things in
      _ = Meters(persistedValue: 1).persistableValue
    }
    use("Properties", "FailableCustomPersistable") { things in
      _ = (any FailableCustomPersistable).self
    }
    use("Properties", "FailableCustomPersistable.init(persistedValue:)") { things in
      _ = Port(persistedValue: 1) as Port?
    }
    use("Properties", "RealmCollectionValue") { things in
      _ = (any RealmCollectionValue).self
    }
    use("Properties", "RealmFetchable") { things in
      _ = (any RealmFetchable).self
    }
    use("Properties", "ObjectKeyIdentifiable") { things in
      _ = (any ObjectKeyIdentifiable).self
    }
    use("Properties", "MinMaxType") { things in
      _ = (any MinMaxType).self
    }
    use("Properties", "AddableType") { things in
      _ = (any AddableType).self
    }
    use("Properties", "SortableType") { things in
      _ = (any SortableType).self
    }
    use("Properties", "ThreadConfined") { things in
      _ = (any ThreadConfined).self
    }
    use("Properties", "_name(for:)") { things in
      _ = _name(for: \Person.dog?.name) as String
    }
  }
}
