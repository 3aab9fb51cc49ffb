import Foundation
import Strata

extension APIUses {
  func useAnyRealmCollection() {
    heading = "AnyRealmCollection"
    use("init(_:)", AnyRealmCollection(dogs) as AnyRealmCollection<Dog>)
    use("of Results", AnyRealmCollection(results) as AnyRealmCollection<Person>)
  }

  func useResults() {
    heading = "Results"
    use("Results", Results<Person>.self)
    use("encode(to:)", try JSONEncoder().encode(person.numbers.sorted(ascending: true)))
    use("Results.Iterator", results.makeIterator())
  }

  func useLinkingObjects() {
    heading = "LinkingObjects"
    use("LinkingObjects", LinkingObjects<Person>.self)
  }

  func useList() {
    heading = "List"
    use("init()", List<Int>())
    uses("subscript(_:) to set") { person.numbers[0] = 1 }
    uses("append(_:)") { person.numbers.append(1) }
    uses("append(objectsIn:)") { person.numbers.append(objectsIn: [1]) }
    uses("insert(_:at:)") { person.numbers.insert(1, at: 0) }
    uses("insert(contentsOf:at:)") { person.numbers.insert(contentsOf: [1], at: 0) }
    uses("remove(at:)") { person.numbers.remove(at: 0) }
    uses("removeFirst(_:)") { person.numbers.removeFirst(1) }
    uses("removeLast(_:)") { person.numbers.removeLast(1) }
    uses("removeSubrange(_:)") { person.numbers.removeSubrange(0..<1) }
    uses("removeAll()") { person.numbers.removeAll() }
    uses("replace(index:object:)") { person.numbers.replace(index: 0, object: 1) }
    uses("replaceSubrange(_:with:)") { person.numbers.replaceSubrange(0..<1, with: [1]) }
    uses("move(from:to:)") { person.numbers.move(from: 0, to: 1) }
    uses("swapAt(_:_:)") { person.numbers.swapAt(0, 1) }
    uses("remove(atOffsets:)") { person.numbers.remove(atOffsets: [0]) }
    uses("move(fromOffsets:toOffset:)") { person.numbers.move(fromOffsets: [0], toOffset: 1) }
    use("init(from:)", try JSONDecoder().decode(List<Int>.self, from: Data()))
    use("encode(to:)", try JSONEncoder().encode(person.numbers))
  }

  func useMutableSet() {
    heading = "MutableSet"
    use("init()", MutableSet<Int>())
    use("contains(_:)", person.tags.contains("a") as Bool)
    uses("insert(_:)") { person.tags.insert("a") }
    uses("insert(objectsIn:)") { person.tags.insert(objectsIn: ["a"]) }
    uses("remove(_:)") { person.tags.remove("a") }
    uses("removeAll()") { person.tags.removeAll() }
    use("isSubset(of:)", person.tags.isSubset(of: person.tags) as Bool)
    use("intersects(_:)", person.tags.intersects(person.tags) as Bool)
    uses("formUnion(_:)") { person.tags.formUnion(person.tags) }
    uses("formIntersection(_:)") { person.tags.formIntersection(person.tags) }
    uses("subtract(_:)") { person.tags.subtract(person.tags) }
    use("init(from:)", try JSONDecoder().decode(MutableSet<Int>.self, from: Data()))
    use("encode(to:)", try JSONEncoder().encode(person.tags))
  }

  func useMap() {
    heading = "Map"
    use(
      "sorted(by:ascending:)",
      Map<String, Dog?>().sorted(by: \Dog.name, ascending: true) as Results<Dog?>)
    use("RealmKeyedCollection", (any RealmKeyedCollection).self)
    use("init()", Map<String, Int>())
    use("count", person.scores.count)
    use("isEmpty", person.scores.isEmpty)
    use("keys", person.scores.keys as [String])
    use("values", person.scores.values as [Int])
    use("subscript(_:)", person.scores["chess"] as Int?)
    uses("subscript(_:) to set") { person.scores["chess"] = nil }
    use("subscript(_:default:)", person.scores["chess", default: 0] as Int)
    use("object(forKey:)", person.scores.object(forKey: "chess") as Int?)
    use("value(forKey:)", person.scores.value(forKey: "chess") as Any?)
    use("value(forKeyPath:)", person.scores.value(forKeyPath: "@count") as Any?)
    uses("setValue(_:forKey:)") { person.scores.setValue(1, forKey: "chess") }
    uses("updateValue(_:forKey:)") { person.scores.updateValue(1, forKey: "chess") }
    uses("removeObject(for:)") { person.scores.removeObject(for: "chess") }
    uses("removeAll()") { person.scores.removeAll() }
    uses("merge(_:uniquingKeysWith:)") { person.scores.merge(person.scores) { $1 } }
    use("filter(_:_:)", person.kennel.filter("age > %@", 3) as Results<Dog?>)
    use("filter(_:)", person.kennel.filter(NSPredicate(format: "age > 3")) as Results<Dog?>)
    use("where(_:)", person.kennel.where { $0.age > 3 } as Results<Dog?>)
    use(
      "sorted(byKeyPath:ascending:)",
      person.kennel.sorted(byKeyPath: "age", ascending: true) as Results<Dog?>)
    use("sorted(by:)", person.kennel.sorted(by: [SortDescriptor(keyPath: "age")]) as Results<Dog?>)
    use("sorted(ascending:)", person.scores.sorted(ascending: true) as Results<Int>)
    use("min()", person.scores.min() as Int?)
    use("max()", person.scores.max() as Int?)
    use("sum()", person.scores.sum() as Int)
    use("average()", person.scores.average() as Double?)
    use("min(ofProperty:)", person.kennel.min(ofProperty: "age") as Int?)
    use("max(ofProperty:)", person.kennel.max(ofProperty: "age") as Int?)
    use("sum(ofProperty:)", person.kennel.sum(ofProperty: "age") as Int)
    use("average(ofProperty:)", person.kennel.average(ofProperty: "age") as Double?)
    use(
      "observe(on:_:)",
      person.scores.observe(on: queue) { (_: RealmMapChange<Map<String, Int>>) in }
        as NotificationToken)
    use(
      "observe(keyPaths:on:_:)",
      person.kennel.observe(keyPaths: ["age"], on: queue) {
        (_: RealmMapChange<Map<String, Dog?>>) in
      } as NotificationToken)
    use(
      "observe(keyPaths:on:_:) of key paths",
      person.kennel.observe(keyPaths: [\Dog.age], on: queue) {
        (_: RealmMapChange<Map<String, Dog?>>) in
      } as NotificationToken)
    use("realm", person.scores.realm as Realm?)
    use("isInvalidated", person.scores.isInvalidated)
    use("isFrozen", person.scores.isFrozen)
    use("freeze()", person.scores.freeze() as Map<String, Int>)
    use("thaw()", person.scores.thaw() as Map<String, Int>?)
    use("description", person.scores.description)
    uses("makeIterator()") { for (key, value) in person.scores { _ = (key, value) } }
    uses("asKeyValueSequence()") {
      for (key, value) in person.scores.asKeyValueSequence() { _ = (key, value) }
    }
  }
}
