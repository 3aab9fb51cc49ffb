import Foundation
import Strata

extension APIUses {
  func anyRealmCollection() {
    use("AnyRealmCollection", "init(_:)") { things in
      _ = AnyRealmCollection(things.collections.dogs) as AnyRealmCollection<Dog>
    }
    use("AnyRealmCollection", "of Results") { things in
      _ = AnyRealmCollection(things.collections.results) as AnyRealmCollection<Person>
    }
  }

  func results() {
    use("Results", "Results") { things in
      _ = Results<Person>.self
    }
    use("Results", "encode(to:)") { things in
      _ = try JSONEncoder().encode(things.person.numbers.sorted(ascending: true))
    }
    use("Results", "Results.Iterator") { things in
      _ = things.collections.results.makeIterator()
    }
  }

  func linkingObjects() {
    use("LinkingObjects", "LinkingObjects") { things in
      _ = LinkingObjects<Person>.self
    }
  }

  func list() {
    use("List", "init()") { things in
      _ = List<Int>()
    }
    use("List", "subscript(_:) to set") { things in
      things.person.numbers[0] = 1
    }
    use("List", "append(_:)") { things in
      things.person.numbers.append(1)
    }
    use("List", "append(objectsIn:)") { things in
      things.person.numbers.append(objectsIn: [1])
    }
    use("List", "insert(_:at:)") { things in
      things.person.numbers.insert(1, at: 0)
    }
    use("List", "insert(contentsOf:at:)") { things in
      things.person.numbers.insert(contentsOf: [1], at: 0)
    }
    use("List", "remove(at:)") { things in
      things.person.numbers.remove(at: 0)
    }
    use("List", "removeFirst(_:)") { things in
      things.person.numbers.removeFirst(1)
    }
    use("List", "removeLast(_:)") { things in
      things.person.numbers.removeLast(1)
    }
    use("List", "removeSubrange(_:)") { things in
      things.person.numbers.removeSubrange(0..<1)
    }
    use("List", "removeAll()") { things in
      things.person.numbers.removeAll()
    }
    use("List", "replace(index:object:)") { things in
      things.person.numbers.replace(index: 0, object: 1)
    }
    use("List", "replaceSubrange(_:with:)") { things in
      things.person.numbers.replaceSubrange(0..<1, with: [1])
    }
    use("List", "move(from:to:)") { things in
      things.person.numbers.move(from: 0, to: 1)
    }
    use("List", "swapAt(_:_:)") { things in
      things.person.numbers.swapAt(0, 1)
    }
    use("List", "remove(atOffsets:)") { things in
      things.person.numbers.remove(atOffsets: [0])
    }
    use("List", "move(fromOffsets:toOffset:)") { things in
      things.person.numbers.move(fromOffsets: [0], toOffset: 1)
    }
    use("List", "init(from:)") { things in
      _ = try JSONDecoder().decode(List<Int>.self, from: Data())
    }
    use("List", "encode(to:)") { things in
      _ = try JSONEncoder().encode(things.person.numbers)
    }
  }

  func mutableSet() {
    use("MutableSet", "init()") { things in
      _ = MutableSet<Int>()
    }
    use("MutableSet", "contains(_:)") { things in
      _ = things.person.tags.contains("a") as Bool
    }
    use("MutableSet", "insert(_:)") { things in
      things.person.tags.insert("a")
    }
    use("MutableSet", "insert(objectsIn:)") { things in
      things.person.tags.insert(objectsIn: ["a"])
    }
    use("MutableSet", "remove(_:)") { things in
      things.person.tags.remove("a")
    }
    use("MutableSet", "removeAll()") { things in
      things.person.tags.removeAll()
    }
    use("MutableSet", "isSubset(of:)") { things in
      _ = things.person.tags.isSubset(of: things.person.tags) as Bool
    }
    use("MutableSet", "intersects(_:)") { things in
      _ = things.person.tags.intersects(things.person.tags) as Bool
    }
    use("MutableSet", "formUnion(_:)") { things in
      things.person.tags.formUnion(things.person.tags)
    }
    use("MutableSet", "formIntersection(_:)") { things in
      things.person.tags.formIntersection(things.person.tags)
    }
    use("MutableSet", "subtract(_:)") { things in
      things.person.tags.subtract(things.person.tags)
    }
    use("MutableSet", "init(from:)") { things in
      _ = try JSONDecoder().decode(MutableSet<Int>.self, from: Data())
    }
    use("MutableSet", "encode(to:)") { things in
      _ = try JSONEncoder().encode(things.person.tags)
    }
  }

  func map() {
    use("Map", "sorted(by:ascending:)") { _ in
      _ = Map<String, Dog?>().sorted(by: \Dog.name, ascending: true) as Results<Dog?>
    }
    use("Map", "RealmKeyedCollection") { things in
      _ = (any RealmKeyedCollection).self
    }
    use("Map", "init()") { things in
      _ = Map<String, Int>()
    }
    use("Map", "count") { things in
      _ = things.person.scores.count
    }
    use("Map", "isEmpty") { things in
      _ = things.person.scores.isEmpty
    }
    use("Map", "keys") { things in
      _ = things.person.scores.keys as [String]
    }
    use("Map", "values") { things in
      _ = things.person.scores.values as [Int]
    }
    use("Map", "subscript(_:)") { things in
      _ = things.person.scores["chess"] as Int?
    }
    use("Map", "subscript(_:) to set") { things in
      things.person.scores["chess"] = nil
    }
    use("Map", "subscript(_:default:)") { things in
      _ = things.person.scores["chess", default: 0] as Int
    }
    use("Map", "object(forKey:)") { things in
      _ = things.person.scores.object(forKey: "chess") as Int?
    }
    use("Map", "value(forKey:)") { things in
      _ = things.person.scores.value(forKey: "chess") as Any?
    }
    use("Map", "value(forKeyPath:)") { things in
      _ = things.person.scores.value(forKeyPath: "@count") as Any?
    }
    use("Map", "setValue(_:forKey:)") { things in
      things.person.scores.setValue(1, forKey: "chess")
    }
    use("Map", "updateValue(_:forKey:)") { things in
      things.person.scores.updateValue(1, forKey: "chess")
    }
    use("Map", "removeObject(for:)") { things in
      things.person.scores.removeObject(for: "chess")
    }
    use("Map", "removeAll()") { things in
      things.person.scores.removeAll()
    }
    use("Map", "merge(_:uniquingKeysWith:)") { things in
      things.person.scores.merge(things.person.scores) { $1 }
    }
    use("Map", "filter(_:_:)") { things in
      _ = things.person.kennel.filter("age > %@", 3) as Results<Dog?>
    }
    use("Map", "filter(_:)") { things in
      _ = things.person.kennel.filter(NSPredicate(format: "age > 3")) as Results<Dog?>
    }
    use("Map", "where(_:)") { things in
      _ = things.person.kennel.where { $0.age > 3 } as Results<Dog?>
    }
    use("Map", "sorted(byKeyPath:ascending:)") { things in
      _ = things.person.kennel.sorted(byKeyPath: "age", ascending: true) as Results<Dog?>
    }
    use("Map", "sorted(by:)") { things in
      _ = things.person.kennel.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog?>
    }
    use("Map", "sorted(ascending:)") { things in
      _ = things.person.scores.sorted(ascending: true) as Results<Int>
    }
    use("Map", "min()") { things in
      _ = things.person.scores.min() as Int?
    }
    use("Map", "max()") { things in
      _ = things.person.scores.max() as Int?
    }
    use("Map", "sum()") { things in
      _ = things.person.scores.sum() as Int
    }
    use("Map", "average()") { things in
      _ = things.person.scores.average() as Double?
    }
    use("Map", "min(ofProperty:)") { things in
      _ = things.person.kennel.min(ofProperty: "age") as Int?
    }
    use("Map", "max(ofProperty:)") { things in
      _ = things.person.kennel.max(ofProperty: "age") as Int?
    }
    use("Map", "sum(ofProperty:)") { things in
      _ = things.person.kennel.sum(ofProperty: "age") as Int
    }
    use("Map", "average(ofProperty:)") { things in
      _ = things.person.kennel.average(ofProperty: "age") as Double?
    }
    use("Map", "observe(on:_:)") { things in
      _ =
        things.person.scores.observe(on: things.queue) { (_: RealmMapChange<Map<String, Int>>) in }
        as NotificationToken
    }
    use("Map", "observe(keyPaths:on:_:)") { things in
      _ =
        things.person.kennel.observe(keyPaths: ["age"], on: things.queue) {
          (_: RealmMapChange<Map<String, Dog?>>) in
        } as NotificationToken
    }
    use("Map", "observe(keyPaths:on:_:) of key paths") { things in
      _ =
        things.person.kennel.observe(keyPaths: [\Dog.age], on: things.queue) {
          (_: RealmMapChange<Map<String, Dog?>>) in
        } as NotificationToken
    }
    use("Map", "realm") { things in
      _ = things.person.scores.realm as Realm?
    }
    use("Map", "isInvalidated") { things in
      _ = things.person.scores.isInvalidated
    }
    use("Map", "isFrozen") { things in
      _ = things.person.scores.isFrozen
    }
    use("Map", "freeze()") { things in
      _ = things.person.scores.freeze() as Map<String, Int>
    }
    use("Map", "thaw()") { things in
      _ = things.person.scores.thaw() as Map<String, Int>?
    }
    use("Map", "description") { things in
      _ = things.person.scores.description
    }
    use("Map", "makeIterator()") { things in
      for (key, value) in things.person.scores { _ = (key, value) }
    }
    use("Map", "asKeyValueSequence()") { things in
      for (key, value) in things.person.scores.asKeyValueSequence() { _ = (key, value) }
    }
  }
}
