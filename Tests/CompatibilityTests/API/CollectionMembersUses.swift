import Foundation
import Strata

extension APIUses {
  func useRealmCollection() {
    heading = "RealmCollection"
    use("ElementType", Results<Person>.ElementType.self)
    uses("Equatable") {
      func isThere<C: RealmCollection>(_ collection: C) { _ = collection == collection }
    }
    use(
      "realm", dogs.realm as Realm?, pack.realm as Realm?, found.realm as Realm?,
      linking.realm as Realm?, anything.realm as Realm?)
    use(
      "isInvalidated", dogs.isInvalidated, pack.isInvalidated, found.isInvalidated,
      linking.isInvalidated, anything.isInvalidated)
    use(
      "isFrozen", dogs.isFrozen, pack.isFrozen, found.isFrozen, linking.isFrozen, anything.isFrozen)
    use(
      "freeze()", dogs.freeze() as List<Dog>, pack.freeze() as MutableSet<Dog>,
      found.freeze() as Results<Dog>, linking.freeze() as LinkingObjects<Dog>,
      anything.freeze() as AnyRealmCollection<Dog>)
    use(
      "thaw()", dogs.thaw() as List<Dog>?, pack.thaw() as MutableSet<Dog>?,
      found.thaw() as Results<Dog>?, linking.thaw() as LinkingObjects<Dog>?,
      anything.thaw() as AnyRealmCollection<Dog>?)
    use(
      "description", dogs.description, pack.description, found.description, linking.description,
      anything.description)
    use(
      "count", dogs.count, pack.count, found.count, linking.count, anything.count)
    use(
      "isEmpty", dogs.isEmpty, pack.isEmpty, found.isEmpty, linking.isEmpty, anything.isEmpty)
    use(
      "first", dogs.first as Dog?, pack.first as Dog?, found.first as Dog?, linking.first as Dog?,
      anything.first as Dog?)
    use(
      "last", dogs.last as Dog?, pack.last as Dog?, found.last as Dog?, linking.last as Dog?,
      anything.last as Dog?)
    use(
      "subscript(_:)", dogs[0] as Dog, pack[0] as Dog, found[0] as Dog, linking[0] as Dog,
      anything[0] as Dog)
    use(
      "objects(at:)", dogs.objects(at: [0]) as [Dog], pack.objects(at: [0]) as [Dog],
      found.objects(at: [0]) as [Dog], linking.objects(at: [0]) as [Dog],
      anything.objects(at: [0]) as [Dog])
    use(
      "index(of:)", dogs.index(of: dog) as Int?, pack.index(of: dog) as Int?,
      found.index(of: dog) as Int?, linking.index(of: dog) as Int?, anything.index(of: dog) as Int?)
    use(
      "index(matching:)", dogs.index(matching: { $0.age > 3 }) as Int?,
      pack.index(matching: { $0.age > 3 }) as Int?, found.index(matching: { $0.age > 3 }) as Int?,
      linking.index(matching: { $0.age > 3 }) as Int?,
      anything.index(matching: { $0.age > 3 }) as Int?)
    use(
      "index(matching:) of an NSPredicate",
      dogs.index(matching: NSPredicate(format: "age > 3")) as Int?,
      pack.index(matching: NSPredicate(format: "age > 3")) as Int?,
      found.index(matching: NSPredicate(format: "age > 3")) as Int?,
      linking.index(matching: NSPredicate(format: "age > 3")) as Int?,
      anything.index(matching: NSPredicate(format: "age > 3")) as Int?)
    use(
      "index(matching:_:)", dogs.index(matching: "age > %@", 3) as Int?,
      pack.index(matching: "age > %@", 3) as Int?, found.index(matching: "age > %@", 3) as Int?,
      linking.index(matching: "age > %@", 3) as Int?,
      anything.index(matching: "age > %@", 3) as Int?)
    use(
      "filter(_:_:)", dogs.filter("age > %@", 3) as Results<Dog>,
      pack.filter("age > %@", 3) as Results<Dog>, found.filter("age > %@", 3) as Results<Dog>,
      linking.filter("age > %@", 3) as Results<Dog>, anything.filter("age > %@", 3) as Results<Dog>)
    use(
      "filter(_:)", dogs.filter(NSPredicate(format: "age > 3")) as Results<Dog>,
      pack.filter(NSPredicate(format: "age > 3")) as Results<Dog>,
      found.filter(NSPredicate(format: "age > 3")) as Results<Dog>,
      linking.filter(NSPredicate(format: "age > 3")) as Results<Dog>,
      anything.filter(NSPredicate(format: "age > 3")) as Results<Dog>)
    use(
      "where(_:)", dogs.where { $0.age > 3 } as Results<Dog>,
      pack.where { $0.age > 3 } as Results<Dog>, found.where { $0.age > 3 } as Results<Dog>,
      linking.where { $0.age > 3 } as Results<Dog>, anything.where { $0.age > 3 } as Results<Dog>)
    use(
      "sorted(byKeyPath:ascending:)",
      dogs.sorted(byKeyPath: "age", ascending: false) as Results<Dog>,
      pack.sorted(byKeyPath: "age", ascending: false) as Results<Dog>,
      found.sorted(byKeyPath: "age", ascending: false) as Results<Dog>,
      linking.sorted(byKeyPath: "age", ascending: false) as Results<Dog>,
      anything.sorted(byKeyPath: "age", ascending: false) as Results<Dog>)
    use(
      "sorted(by:ascending:)", dogs.sorted(by: \.age, ascending: false) as Results<Dog>,
      pack.sorted(by: \.age, ascending: false) as Results<Dog>,
      found.sorted(by: \.age, ascending: false) as Results<Dog>,
      linking.sorted(by: \.age, ascending: false) as Results<Dog>,
      anything.sorted(by: \.age, ascending: false) as Results<Dog>)
    use(
      "sorted(by:)", dogs.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>,
      pack.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>,
      found.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>,
      linking.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>,
      anything.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog>)
    use(
      "distinct(by:)", dogs.distinct(by: ["age"]) as Results<Dog>,
      pack.distinct(by: ["age"]) as Results<Dog>, found.distinct(by: ["age"]) as Results<Dog>,
      linking.distinct(by: ["age"]) as Results<Dog>, anything.distinct(by: ["age"]) as Results<Dog>)
    use(
      "distinct(by:) of key paths", dogs.distinct(by: [\Dog.age]) as Results<Dog>,
      pack.distinct(by: [\Dog.age]) as Results<Dog>, found.distinct(by: [\Dog.age]) as Results<Dog>,
      linking.distinct(by: [\Dog.age]) as Results<Dog>,
      anything.distinct(by: [\Dog.age]) as Results<Dog>)
  }
}
