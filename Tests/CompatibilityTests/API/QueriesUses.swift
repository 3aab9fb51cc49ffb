import Foundation
import Strata

extension APIUses {
  func useQuery() {
    heading = "Query"
    uses("< of texts") {
      let people: Results<Person> = AnyRealmCollection(List<Person>()).filter("TRUEPREDICATE")
      _ = people.where { $0.name < "b" }
    }
    use("subscript(dynamicMember:)", results.where { $0.name == "Ada" })
    use("subscript(dynamicMember:) of a link", results.where { $0.dog.name == "Rex" })
    use("==", results.where { $0.age == 3 })
    use("!=", results.where { $0.age != 3 })
    use("<", results.where { $0.age < 3 })
    use("<=", results.where { $0.age <= 3 })
    use(">", results.where { $0.age > 3 })
    use(">=", results.where { $0.age >= 3 })
    use("!", results.where { !($0.age > 3) })
    use("&&", results.where { $0.age > 3 && $0.age < 5 })
    use("or", results.where { $0.age > 3 || $0.age < 1 })
    use("in(_:)", results.where { $0.age.in([1, 2]) })
    use("contains(_:) of a range", results.where { $0.age.contains(1..<3) })
    use("contains(_:) of a closed range", results.where { $0.age.contains(1...3) })
    use("contains(_:) of an element", results.where { $0.tags.contains("a") })
    use("containsAny(in:)", results.where { $0.tags.containsAny(in: ["a"]) })
    use(
      "contains(_:options:)", results.where { $0.name.contains("a", options: [.caseInsensitive]) })
    use(
      "starts(with:options:)",
      results.where { $0.name.starts(with: "A", options: .diacriticInsensitive) })
    use("ends(with:options:)", results.where { $0.name.ends(with: "a", options: []) })
    use("like(_:caseInsensitive:)", results.where { $0.name.like("A*", caseInsensitive: true) })
    use("equals(_:options:)", results.where { $0.name.equals("Ada", options: .caseInsensitive) })
    use(
      "notEquals(_:options:)", results.where { $0.name.notEquals("Ada", options: .caseInsensitive) }
    )
    use("StringOptions", StringOptions.self)
    use("StringOptions.caseInsensitive", StringOptions.caseInsensitive)
    use("StringOptions.diacriticInsensitive", StringOptions.diacriticInsensitive)
    use("count of a collection", results.where { $0.dogs.count > 1 })
    use("count of a subquery", results.where { ($0.dogs.age > 1).count > 1 })
    use("min", results.where { $0.dogs.age.min > 1 })
    use("max", results.where { $0.dogs.age.max > 1 })
    use("sum", results.where { $0.dogs.age.sum > 1 })
    use("avg", results.where { $0.dogs.age.avg > 1 })
    use("keys", results.where { $0.scores.keys == "chess" })
    use("values", results.where { $0.scores.values > 3 })
    use("subscript(_:) of a key", results.where { $0.scores["chess"] > 3 })
    use(
      "subscript(_:) of a list in an AnyRealmValue",
      results.where { $0.value[0] > 3 && $0.value[.any] == 1 })
    use(
      "subscript(_:) of a dictionary in an AnyRealmValue",
      results.where { $0.value["a"]["b"][1] == 2 })
    use("rawValue", results.where { $0.kind.rawValue == "old" })
    use("persistableValue", results.where { $0.height.persistableValue > 1 })
  }

  func useEverywhere() {
    heading = "Everywhere"
    use("autoreleasepool(invoking:)", autoreleasepool { 1 } as Int)
  }
}
