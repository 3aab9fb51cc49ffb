import Foundation
import Strata

extension APIUses {
  func query() {
    use("Query", "< of texts") { _ in
      let people: Results<Person> = AnyRealmCollection(List<Person>()).filter("TRUEPREDICATE")
      _ = people.where { $0.name < "b" }
    }
    use("Query", "subscript(dynamicMember:)") { things in
      _ = things.collections.results.where { $0.name == "Ada" }
    }
    use("Query", "subscript(dynamicMember:) of a link") { things in
      _ = things.collections.results.where { $0.dog.name == "Rex" }
    }
    use("Query", "==") { things in
      _ = things.collections.results.where { $0.age == 3 }
    }
    use("Query", "!=") { things in
      _ = things.collections.results.where { $0.age != 3 }
    }
    use("Query", "<") { things in
      _ = things.collections.results.where { $0.age < 3 }
    }
    use("Query", "<=") { things in
      _ = things.collections.results.where { $0.age <= 3 }
    }
    use("Query", ">") { things in
      _ = things.collections.results.where { $0.age > 3 }
    }
    use("Query", ">=") { things in
      _ = things.collections.results.where { $0.age >= 3 }
    }
    use("Query", "!") { things in
      _ = things.collections.results.where { !($0.age > 3) }
    }
    use("Query", "&&") { things in
      _ = things.collections.results.where { $0.age > 3 && $0.age < 5 }
    }
    use("Query", "or") { things in
      _ = things.collections.results.where { $0.age > 3 || $0.age < 1 }
    }
    use("Query", "in(_:)") { things in
      _ = things.collections.results.where { $0.age.in([1, 2]) }
    }
    use("Query", "contains(_:) of a range") { things in
      _ = things.collections.results.where { $0.age.contains(1..<3) }
    }
    use("Query", "contains(_:) of a closed range") { things in
      _ = things.collections.results.where { $0.age.contains(1...3) }
    }
    use("Query", "contains(_:) of an element") { things in
      _ = things.collections.results.where { $0.tags.contains("a") }
    }
    use("Query", "containsAny(in:)") { things in
      _ = things.collections.results.where { $0.tags.containsAny(in: ["a"]) }
    }
    use("Query", "contains(_:options:)") { things in
      _ = things.collections.results.where { $0.name.contains("a", options: [.caseInsensitive]) }
    }
    use("Query", "starts(with:options:)") { things in
      _ = things.collections.results.where {
        $0.name.starts(with: "A", options: .diacriticInsensitive)
      }
    }
    use("Query", "ends(with:options:)") { things in
      _ = things.collections.results.where { $0.name.ends(with: "a", options: []) }
    }
    use("Query", "like(_:caseInsensitive:)") { things in
      _ = things.collections.results.where { $0.name.like("A*", caseInsensitive: true) }
    }
    use("Query", "equals(_:options:)") { things in
      _ = things.collections.results.where { $0.name.equals("Ada", options: .caseInsensitive) }
    }
    use("Query", "notEquals(_:options:)") { things in
      _ = things.collections.results.where { $0.name.notEquals("Ada", options: .caseInsensitive) }
    }
    use("Query", "StringOptions") { things in
      _ = StringOptions.self
    }
    use("Query", "StringOptions.caseInsensitive") { things in
      _ = StringOptions.caseInsensitive
    }
    use("Query", "StringOptions.diacriticInsensitive") { things in
      _ = StringOptions.diacriticInsensitive
    }
    use("Query", "count of a collection") { things in
      _ = things.collections.results.where { $0.dogs.count > 1 }
    }
    use("Query", "count of a subquery") { things in
      _ = things.collections.results.where { ($0.dogs.age > 1).count > 1 }
    }
    use("Query", "min") { things in
      _ = things.collections.results.where { $0.dogs.age.min > 1 }
    }
    use("Query", "max") { things in
      _ = things.collections.results.where { $0.dogs.age.max > 1 }
    }
    use("Query", "sum") { things in
      _ = things.collections.results.where { $0.dogs.age.sum > 1 }
    }
    use("Query", "avg") { things in
      _ = things.collections.results.where { $0.dogs.age.avg > 1 }
    }
    use("Query", "keys") { things in
      _ = things.collections.results.where { $0.scores.keys == "chess" }
    }
    use("Query", "values") { things in
      _ = things.collections.results.where { $0.scores.values > 3 }
    }
    use("Query", "subscript(_:) of a key") { things in
      _ = things.collections.results.where { $0.scores["chess"] > 3 }
    }
    use("Query", "subscript(_:) of a list in an AnyRealmValue") { things in
      _ = things.collections.results.where { $0.value[0] > 3 && $0.value[.any] == 1 }
    }
    use("Query", "subscript(_:) of a dictionary in an AnyRealmValue") { things in
      _ = things.collections.results.where { $0.value["a"]["b"][1] == 2 }
    }
    use("Query", "rawValue") { things in
      _ = things.collections.results.where { $0.kind.rawValue == "old" }
    }
    use("Query", "persistableValue") { things in
      _ = things.collections.results.where { $0.height.persistableValue > 1 }
    }
  }

  func everywhere() {
    use("Everywhere", "autoreleasepool(invoking:)") { things in
      _ = autoreleasepool { 1 } as Int
    }
  }
}
