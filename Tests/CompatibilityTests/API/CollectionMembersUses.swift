import Foundation
import Strata

extension APIUses {
  func realmCollection() {
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
    use("RealmCollection", "min(ofProperty:)") { things in
      _ = things.collections.dogs.min(ofProperty: "age") as Int8?
      _ = things.collections.pack.min(ofProperty: "age") as Int8?
      _ = things.collections.found.min(ofProperty: "age") as Int8?
      _ = things.collections.linking.min(ofProperty: "age") as Int8?
      _ = things.collections.anything.min(ofProperty: "age") as Int8?
    }
    use("RealmCollection", "max(ofProperty:)") { things in
      _ = things.collections.dogs.max(ofProperty: "age") as Int8?
      _ = things.collections.pack.max(ofProperty: "age") as Int8?
      _ = things.collections.found.max(ofProperty: "age") as Int8?
      _ = things.collections.linking.max(ofProperty: "age") as Int8?
      _ = things.collections.anything.max(ofProperty: "age") as Int8?
    }
    use("RealmCollection", "sum(ofProperty:)") { things in
      _ = things.collections.dogs.sum(ofProperty: "age") as Int
      _ = things.collections.pack.sum(ofProperty: "age") as Int
      _ = things.collections.found.sum(ofProperty: "age") as Int
      _ = things.collections.linking.sum(ofProperty: "age") as Int
      _ = things.collections.anything.sum(ofProperty: "age") as Int
    }
    use("RealmCollection", "average(ofProperty:)") { things in
      _ = things.collections.dogs.average(ofProperty: "age") as Double?
      _ = things.collections.pack.average(ofProperty: "age") as Double?
      _ = things.collections.found.average(ofProperty: "age") as Double?
      _ = things.collections.linking.average(ofProperty: "age") as Double?
      _ = things.collections.anything.average(ofProperty: "age") as Double?
    }
    use("RealmCollection", "min(of:)") { things in
      _ = things.collections.dogs.min(of: \.age) as Int8?
      _ = things.collections.pack.min(of: \.age) as Int8?
      _ = things.collections.found.min(of: \.age) as Int8?
      _ = things.collections.linking.min(of: \.age) as Int8?
      _ = things.collections.anything.min(of: \.age) as Int8?
    }
    use("RealmCollection", "max(of:)") { things in
      _ = things.collections.dogs.max(of: \.age) as Int8?
      _ = things.collections.pack.max(of: \.age) as Int8?
      _ = things.collections.found.max(of: \.age) as Int8?
      _ = things.collections.linking.max(of: \.age) as Int8?
      _ = things.collections.anything.max(of: \.age) as Int8?
    }
    use("RealmCollection", "sum(of:)") { things in
      _ = things.collections.dogs.sum(of: \.age) as Int8
      _ = things.collections.pack.sum(of: \.age) as Int8
      _ = things.collections.found.sum(of: \.age) as Int8
      _ = things.collections.linking.sum(of: \.age) as Int8
      _ = things.collections.anything.sum(of: \.age) as Int8
    }
    use("RealmCollection", "average(of:)") { things in
      _ = things.collections.dogs.average(of: \.age) as Double?
      _ = things.collections.pack.average(of: \.age) as Double?
      _ = things.collections.found.average(of: \.age) as Double?
      _ = things.collections.linking.average(of: \.age) as Double?
      _ = things.collections.anything.average(of: \.age) as Double?
    }
    use("RealmCollection", "value(forKey:)") { things in
      _ = things.collections.dogs.value(forKey: "age") as! [Int8]
      _ = things.collections.pack.value(forKey: "age") as! [Int8]
      _ = things.collections.found.value(forKey: "age") as! [Int8]
      _ = things.collections.linking.value(forKey: "age") as! [Int8]
      _ = things.collections.anything.value(forKey: "age") as! [Int8]
    }
    use("RealmCollection", "value(forKeyPath:)") { things in
      _ = things.collections.dogs.value(forKeyPath: "@avg.age") as! Double
      _ = things.collections.pack.value(forKeyPath: "@avg.age") as! Double
      _ = things.collections.found.value(forKeyPath: "@avg.age") as! Double
      _ = things.collections.linking.value(forKeyPath: "@avg.age") as! Double
      _ = things.collections.anything.value(forKeyPath: "@avg.age") as! Double
    }
    use("RealmCollection", "setValue(_:forKey:)") { things in
      things.collections.dogs.setValue(1, forKey: "age")
      things.collections.pack.setValue(1, forKey: "age")
      things.collections.found.setValue(1, forKey: "age")
      things.collections.linking.setValue(1, forKey: "age")
      things.collections.anything.setValue(1, forKey: "age")
    }
    use("RealmCollection", "sectioned(by:ascending:)") { things in
      _ =
        things.collections.dogs.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>
      _ =
        things.collections.pack.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>
      _ =
        things.collections.found.sectioned(by: \.age, ascending: true)
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.linking.sectioned(by: \.age, ascending: true)
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.anything.sectioned(by: \.age, ascending: true)
        as SectionedResults<Int8, Dog>
    }
    use("RealmCollection", "sectioned(by:sortDescriptors:)") { things in
      _ =
        things.collections.dogs.sectioned(by: \.age, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.pack.sectioned(by: \.age, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.found.sectioned(by: \.age, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.linking.sectioned(by: \.age, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.anything.sectioned(by: \.age, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
    }
    use("RealmCollection", "sectioned(by:sortDescriptors:) of a closure") { things in
      _ =
        things.collections.dogs.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.pack.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.found.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.linking.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
      _ =
        things.collections.anything.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>
    }
    use("RealmCollection", "observe(on:_:)") { things in
      _ =
        things.collections.dogs.observe(on: things.queue) { (_: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.pack.observe(on: things.queue) {
          (_: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.found.observe(on: things.queue) {
          (_: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.linking.observe(on: things.queue) {
          (_: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.anything.observe(on: things.queue) {
          (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    use("RealmCollection", "observe(keyPaths:on:_:)") { things in
      _ =
        things.collections.dogs.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.pack.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.found.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.linking.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.anything.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    use("RealmCollection", "observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.collections.dogs.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.pack.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.found.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.linking.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        things.collections.anything.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    taskUse("RealmCollection", "observe(keyPaths:on:_:) of an actor") { things in
      _ =
        await things.collections.dogs.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.pack.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.found.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.linking.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.anything.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    taskUse("RealmCollection", "observe(keyPaths:on:_:) of key paths, of an actor") { things in
      _ =
        await things.collections.dogs.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.pack.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.found.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.linking.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        await things.collections.anything.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    use("RealmCollection", "sorted(ascending:) of values") { things in
      _ = things.person.numbers.sorted(ascending: false) as Results<Int>
    }
    use("RealmCollection", "distinct() of values") { things in
      _ = things.person.numbers.distinct() as Results<Int>
    }
    use("RealmCollection", "min() of values") { things in
      _ = things.person.numbers.min() as Int?
    }
    use("RealmCollection", "max() of values") { things in
      _ = things.person.numbers.max() as Int?
    }
    use("RealmCollection", "sum() of values") { things in
      _ = things.person.numbers.sum() as Int
    }
    use("RealmCollection", "average() of values") { things in
      _ = things.person.numbers.average() as Double?
    }
    use("RealmCollection", "sectioned(by:ascending:) of values") { things in
      _ =
        things.person.numbers.sectioned(by: { $0 / 2 }, ascending: true)
        as SectionedResults<Int, Int>
    }
    use("RealmCollection", "makeIterator()") { things in
      for _ in things.collections.results { break }
    }
  }
}
