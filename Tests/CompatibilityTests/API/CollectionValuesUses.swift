import Foundation
import Strata

extension APIUses {
  func useValuesOfRealmCollection() {
    heading = "RealmCollection"
    use(
      "min(ofProperty:)", dogs.min(ofProperty: "age") as Int8?,
      pack.min(ofProperty: "age") as Int8?, found.min(ofProperty: "age") as Int8?,
      linking.min(ofProperty: "age") as Int8?, anything.min(ofProperty: "age") as Int8?)
    use(
      "max(ofProperty:)", dogs.max(ofProperty: "age") as Int8?,
      pack.max(ofProperty: "age") as Int8?, found.max(ofProperty: "age") as Int8?,
      linking.max(ofProperty: "age") as Int8?, anything.max(ofProperty: "age") as Int8?)
    use(
      "sum(ofProperty:)", dogs.sum(ofProperty: "age") as Int, pack.sum(ofProperty: "age") as Int,
      found.sum(ofProperty: "age") as Int, linking.sum(ofProperty: "age") as Int,
      anything.sum(ofProperty: "age") as Int)
    use(
      "average(ofProperty:)", dogs.average(ofProperty: "age") as Double?,
      pack.average(ofProperty: "age") as Double?, found.average(ofProperty: "age") as Double?,
      linking.average(ofProperty: "age") as Double?, anything.average(ofProperty: "age") as Double?)
    use(
      "min(of:)", dogs.min(of: \.age) as Int8?, pack.min(of: \.age) as Int8?,
      found.min(of: \.age) as Int8?, linking.min(of: \.age) as Int8?,
      anything.min(of: \.age) as Int8?)
    use(
      "max(of:)", dogs.max(of: \.age) as Int8?, pack.max(of: \.age) as Int8?,
      found.max(of: \.age) as Int8?, linking.max(of: \.age) as Int8?,
      anything.max(of: \.age) as Int8?)
    use(
      "sum(of:)", dogs.sum(of: \.age) as Int8, pack.sum(of: \.age) as Int8,
      found.sum(of: \.age) as Int8, linking.sum(of: \.age) as Int8, anything.sum(of: \.age) as Int8)
    use(
      "average(of:)", dogs.average(of: \.age) as Double?, pack.average(of: \.age) as Double?,
      found.average(of: \.age) as Double?, linking.average(of: \.age) as Double?,
      anything.average(of: \.age) as Double?)
    use(
      "value(forKey:)", dogs.value(forKey: "age") as! [Int8], pack.value(forKey: "age") as! [Int8],
      found.value(forKey: "age") as! [Int8], linking.value(forKey: "age") as! [Int8],
      anything.value(forKey: "age") as! [Int8])
    use(
      "value(forKeyPath:)", dogs.value(forKeyPath: "@avg.age") as! Double,
      pack.value(forKeyPath: "@avg.age") as! Double, found.value(forKeyPath: "@avg.age") as! Double,
      linking.value(forKeyPath: "@avg.age") as! Double,
      anything.value(forKeyPath: "@avg.age") as! Double)
    uses("setValue(_:forKey:)") {
      dogs.setValue(1, forKey: "age")
      pack.setValue(1, forKey: "age")
      found.setValue(1, forKey: "age")
      linking.setValue(1, forKey: "age")
      anything.setValue(1, forKey: "age")
    }
    use(
      "sectioned(by:ascending:)",
      dogs.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>,
      pack.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>,
      found.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>,
      linking.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>,
      anything.sectioned(by: \.age, ascending: true) as SectionedResults<Int8, Dog>)
    use(
      "sectioned(by:sortDescriptors:)",
      dogs.sectioned(by: \.age, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      pack.sectioned(by: \.age, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      found.sectioned(by: \.age, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      linking.sectioned(by: \.age, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      anything.sectioned(by: \.age, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>)
    use(
      "sectioned(by:sortDescriptors:) of a closure",
      dogs.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      pack.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      found.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"]) as SectionedResults<Int8, Dog>,
      linking.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>,
      anything.sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
        as SectionedResults<Int8, Dog>)
    use(
      "observe(on:_:)",
      dogs.observe(on: queue) { (_: RealmCollectionChange<List<Dog>>) in } as NotificationToken,
      pack.observe(on: queue) { (_: RealmCollectionChange<MutableSet<Dog>>) in }
        as NotificationToken,
      found.observe(on: queue) { (_: RealmCollectionChange<Results<Dog>>) in } as NotificationToken,
      linking.observe(on: queue) { (_: RealmCollectionChange<LinkingObjects<Dog>>) in }
        as NotificationToken,
      anything.observe(on: queue) { (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in }
        as NotificationToken)
    use(
      "observe(keyPaths:on:_:)",
      dogs.observe(keyPaths: ["age"], on: queue) { (_: RealmCollectionChange<List<Dog>>) in }
        as NotificationToken,
      pack.observe(keyPaths: ["age"], on: queue) { (_: RealmCollectionChange<MutableSet<Dog>>) in }
        as NotificationToken,
      found.observe(keyPaths: ["age"], on: queue) { (_: RealmCollectionChange<Results<Dog>>) in }
        as NotificationToken,
      linking.observe(keyPaths: ["age"], on: queue) {
        (_: RealmCollectionChange<LinkingObjects<Dog>>) in
      } as NotificationToken,
      anything.observe(keyPaths: ["age"], on: queue) {
        (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in
      } as NotificationToken)
    use(
      "observe(keyPaths:on:_:) of key paths",
      dogs.observe(keyPaths: [\Dog.age], on: queue) { (_: RealmCollectionChange<List<Dog>>) in }
        as NotificationToken,
      pack.observe(keyPaths: [\Dog.age], on: queue) { (_: RealmCollectionChange<MutableSet<Dog>>) in
      } as NotificationToken,
      found.observe(keyPaths: [\Dog.age], on: queue) { (_: RealmCollectionChange<Results<Dog>>) in }
        as NotificationToken,
      linking.observe(keyPaths: [\Dog.age], on: queue) {
        (_: RealmCollectionChange<LinkingObjects<Dog>>) in
      } as NotificationToken,
      anything.observe(keyPaths: [\Dog.age], on: queue) {
        (_: RealmCollectionChange<AnyRealmCollection<Dog>>) in
      } as NotificationToken)
    taskUse("observe(keyPaths:on:_:) of an actor") { things in
      _ =
        await things.dogs.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        await things.pack.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        await things.found.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        await things.linking.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        await things.anything.observe(keyPaths: ["age"], on: MainActor.shared) {
          (_, _: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    taskUse("observe(keyPaths:on:_:) of key paths, of an actor") { things in
      _ =
        await things.dogs.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<List<Dog>>) in
        } as NotificationToken
      _ =
        await things.pack.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<MutableSet<Dog>>) in
        } as NotificationToken
      _ =
        await things.found.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<Results<Dog>>) in
        } as NotificationToken
      _ =
        await things.linking.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<LinkingObjects<Dog>>) in
        } as NotificationToken
      _ =
        await things.anything.observe(keyPaths: [\Dog.age], on: MainActor.shared) {
          (_, _: RealmCollectionChange<AnyRealmCollection<Dog>>) in
        } as NotificationToken
    }
    use("sorted(ascending:) of values", person.numbers.sorted(ascending: false) as Results<Int>)
    use("distinct() of values", person.numbers.distinct() as Results<Int>)
    use("min() of values", person.numbers.min() as Int?)
    use("max() of values", person.numbers.max() as Int?)
    use("sum() of values", person.numbers.sum() as Int)
    use("average() of values", person.numbers.average() as Double?)
    use(
      "sectioned(by:ascending:) of values",
      person.numbers.sectioned(by: { $0 / 2 }, ascending: true) as SectionedResults<Int, Int>)
    uses("makeIterator()") { for _ in results { break } }
  }
}
