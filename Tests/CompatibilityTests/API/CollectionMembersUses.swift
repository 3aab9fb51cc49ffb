import Foundation
import Strata

extension APIUses {
  func realmCollection() {
    use("RealmCollection", "ElementType") { _ in
      _ = Results<Person>.ElementType.self
    }
    use("RealmCollection", "Equatable") { _ in
      func isThere<C: RealmCollection>(_ collection: C) { _ = collection == collection }
    }
    use("RealmCollection", "realm") { things in
      _ = things.collections.dogs.realm as Realm?
      _ = things.collections.pack.realm as Realm?
      _ = things.collections.found.realm as Realm?
      _ = things.collections.linking.realm as Realm?
      _ = things.collections.anything.realm as Realm?
    }
    use("RealmCollection", "isInvalidated") { things in
      _ = things.collections.dogs.isInvalidated
      _ = things.collections.pack.isInvalidated
      _ = things.collections.found.isInvalidated
      _ = things.collections.linking.isInvalidated
      _ = things.collections.anything.isInvalidated
    }
    use("RealmCollection", "isFrozen") { things in
      _ = things.collections.dogs.isFrozen
      _ = things.collections.pack.isFrozen
      _ = things.collections.found.isFrozen
      _ = things.collections.linking.isFrozen
      _ = things.collections.anything.isFrozen
    }
    use("RealmCollection", "freeze()") { things in
      _ = things.collections.dogs.freeze() as List<Dog>
      _ = things.collections.pack.freeze() as MutableSet<Dog>
      _ = things.collections.found.freeze() as Results<Dog>
      _ = things.collections.linking.freeze() as LinkingObjects<Dog>
      _ = things.collections.anything.freeze() as AnyRealmCollection<Dog>
    }
    use("RealmCollection", "thaw()") { things in
      _ = things.collections.dogs.thaw() as List<Dog>?
      _ = things.collections.pack.thaw() as MutableSet<Dog>?
      _ = things.collections.found.thaw() as Results<Dog>?
      _ = things.collections.linking.thaw() as LinkingObjects<Dog>?
      _ = things.collections.anything.thaw() as AnyRealmCollection<Dog>?
    }
    use("RealmCollection", "description") { things in
      _ = things.collections.dogs.description
      _ = things.collections.pack.description
      _ = things.collections.found.description
      _ = things.collections.linking.description
      _ = things.collections.anything.description
    }
    use("RealmCollection", "count") { things in
      _ = things.collections.dogs.count
      _ = things.collections.pack.count
      _ = things.collections.found.count
      _ = things.collections.linking.count
      _ = things.collections.anything.count
    }
    use("RealmCollection", "isEmpty") { things in
      _ = things.collections.dogs.isEmpty
      _ = things.collections.pack.isEmpty
      _ = things.collections.found.isEmpty
      _ = things.collections.linking.isEmpty
      _ = things.collections.anything.isEmpty
    }
    use("RealmCollection", "first") { things in
      _ = things.collections.dogs.first as Dog?
      _ = things.collections.pack.first as Dog?
      _ = things.collections.found.first as Dog?
      _ = things.collections.linking.first as Dog?
      _ = things.collections.anything.first as Dog?
    }
    use("RealmCollection", "last") { things in
      _ = things.collections.dogs.last as Dog?
      _ = things.collections.pack.last as Dog?
      _ = things.collections.found.last as Dog?
      _ = things.collections.linking.last as Dog?
      _ = things.collections.anything.last as Dog?
    }
    use("RealmCollection", "subscript(_:)") { things in
      _ = things.collections.dogs[0] as Dog
      _ = things.collections.pack[0] as Dog
      _ = things.collections.found[0] as Dog
      _ = things.collections.linking[0] as Dog
      _ = things.collections.anything[0] as Dog
    }
    use("RealmCollection", "objects(at:)") { things in
      _ = things.collections.dogs.objects(at: [0]) as [Dog]
      _ = things.collections.pack.objects(at: [0]) as [Dog]
      _ = things.collections.found.objects(at: [0]) as [Dog]
      _ = things.collections.linking.objects(at: [0]) as [Dog]
      _ = things.collections.anything.objects(at: [0]) as [Dog]
    }
    use("RealmCollection", "index(of:)") { things in
      _ = things.collections.dogs.index(of: things.dog) as Int?
      _ = things.collections.pack.index(of: things.dog) as Int?
      _ = things.collections.found.index(of: things.dog) as Int?
      _ = things.collections.linking.index(of: things.dog) as Int?
      _ = things.collections.anything.index(of: things.dog) as Int?
    }
    use("RealmCollection", "index(matching:)") { things in
      _ = things.collections.dogs.index(matching: { $0.age > 3 }) as Int?
      _ = things.collections.pack.index(matching: { $0.age > 3 }) as Int?
      _ = things.collections.found.index(matching: { $0.age > 3 }) as Int?
      _ = things.collections.linking.index(matching: { $0.age > 3 }) as Int?
      _ = things.collections.anything.index(matching: { $0.age > 3 }) as Int?
    }
    use("RealmCollection", "index(matching:) of an NSPredicate") { things in
      _ = things.collections.dogs.index(matching: NSPredicate(format: "age > 3")) as Int?
      _ = things.collections.pack.index(matching: NSPredicate(format: "age > 3")) as Int?
      _ = things.collections.found.index(matching: NSPredicate(format: "age > 3")) as Int?
      _ = things.collections.linking.index(matching: NSPredicate(format: "age > 3")) as Int?
      _ = things.collections.anything.index(matching: NSPredicate(format: "age > 3")) as Int?
    }
    use("RealmCollection", "index(matching:_:)") { things in
      _ = things.collections.dogs.index(matching: "age > %@", 3) as Int?
      _ = things.collections.pack.index(matching: "age > %@", 3) as Int?
      _ = things.collections.found.index(matching: "age > %@", 3) as Int?
      _ = things.collections.linking.index(matching: "age > %@", 3) as Int?
      _ = things.collections.anything.index(matching: "age > %@", 3) as Int?
    }
    use("RealmCollection", "filter(_:_:)") { things in
      _ = things.collections.dogs.filter("age > %@", 3) as Results<Dog>
      _ = things.collections.pack.filter("age > %@", 3) as Results<Dog>
      _ = things.collections.found.filter("age > %@", 3) as Results<Dog>
      _ = things.collections.linking.filter("age > %@", 3) as Results<Dog>
      _ = things.collections.anything.filter("age > %@", 3) as Results<Dog>
    }
    use("RealmCollection", "filter(_:)") { things in
      _ = things.collections.dogs.filter(NSPredicate(format: "age > 3")) as Results<Dog>
      _ = things.collections.pack.filter(NSPredicate(format: "age > 3")) as Results<Dog>
      _ = things.collections.found.filter(NSPredicate(format: "age > 3")) as Results<Dog>
      _ = things.collections.linking.filter(NSPredicate(format: "age > 3")) as Results<Dog>
      _ = things.collections.anything.filter(NSPredicate(format: "age > 3")) as Results<Dog>
    }
    use("RealmCollection", "where(_:)") { things in
      _ = things.collections.dogs.where { $0.age > 3 } as Results<Dog>
      _ = things.collections.pack.where { $0.age > 3 } as Results<Dog>
      _ = things.collections.found.where { $0.age > 3 } as Results<Dog>
      _ = things.collections.linking.where { $0.age > 3 } as Results<Dog>
      _ = things.collections.anything.where { $0.age > 3 } as Results<Dog>
    }
    use("RealmCollection", "sorted(byKeyPath:ascending:)") { things in
      _ = things.collections.dogs.sorted(byKeyPath: "age", ascending: false) as Results<Dog>
      _ = things.collections.pack.sorted(byKeyPath: "age", ascending: false) as Results<Dog>
      _ = things.collections.found.sorted(byKeyPath: "age", ascending: false) as Results<Dog>
      _ = things.collections.linking.sorted(byKeyPath: "age", ascending: false) as Results<Dog>
      _ = things.collections.anything.sorted(byKeyPath: "age", ascending: false) as Results<Dog>
    }
    use("RealmCollection", "sorted(by:ascending:)") { things in
      _ = things.collections.dogs.sorted(by: \.age, ascending: false) as Results<Dog>
      _ = things.collections.pack.sorted(by: \.age, ascending: false) as Results<Dog>
      _ = things.collections.found.sorted(by: \.age, ascending: false) as Results<Dog>
      _ = things.collections.linking.sorted(by: \.age, ascending: false) as Results<Dog>
      _ = things.collections.anything.sorted(by: \.age, ascending: false) as Results<Dog>
    }
    use("RealmCollection", "sorted(by:)") { things in
      _ = things.collections.dogs.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>
      _ = things.collections.pack.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>
      _ = things.collections.found.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>
      _ = things.collections.linking.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>
      _ = things.collections.anything.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>
    }
    use("RealmCollection", "distinct(by:)") { things in
      _ = things.collections.dogs.distinct(by: ["age"]) as Results<Dog>
      _ = things.collections.pack.distinct(by: ["age"]) as Results<Dog>
      _ = things.collections.found.distinct(by: ["age"]) as Results<Dog>
      _ = things.collections.linking.distinct(by: ["age"]) as Results<Dog>
      _ = things.collections.anything.distinct(by: ["age"]) as Results<Dog>
    }
    use("RealmCollection", "distinct(by:) of key paths") { things in
      _ = things.collections.dogs.distinct(by: [\Dog.age]) as Results<Dog>
      _ = things.collections.pack.distinct(by: [\Dog.age]) as Results<Dog>
      _ = things.collections.found.distinct(by: [\Dog.age]) as Results<Dog>
      _ = things.collections.linking.distinct(by: [\Dog.age]) as Results<Dog>
      _ = things.collections.anything.distinct(by: [\Dog.age]) as Results<Dog>
    }
  }
}
