import Foundation
import Strata

extension APIUses {
  func valuesOfRealmCollection() {
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
