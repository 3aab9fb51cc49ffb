import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The results of comparing two values, a value and nil, and nil with nil: for each type and
/// operator, also negated, with swapped operands, behind links and in collections.
@Suite struct ComparisonRulesTests {
  /// The operators, and what they say of the positions of two values, of which nil has none.
  private static let operators: [(String, turned: String, @Sendable (Int?, Int?) -> Bool)] = [
    ("==", "==", { $0 == $1 }),
    ("!=", "!=", { $0 != $1 }),
    ("<", ">", { first, second in both(first, second).map { $0 < $1 } ?? false }),
    (">", "<", { first, second in both(first, second).map { $0 > $1 } ?? false }),
    ("<=", ">=", { first, second in both(first, second).map { $0 <= $1 } ?? (first == second) }),
    (">=", "<=", { first, second in both(first, second).map { $0 >= $1 } ?? (first == second) }),
  ]

  /// The objects 1, 2 and 3 have the first value, the second one, and nil; 11, 12 and 13 link to
  /// them, and have them in their lists; 14 has no link and an empty list.
  private func fill(_ kind: Queried.Kind, _ realm: Realm) {
    var items: [QueriedItem] = []
    for (index, value) in [kind.values[0], kind.values[1], nil].enumerated() {
      var values: [String: Any] = ["id": index + 1]
      values[kind.property] = value
      items.append(realm.create(QueriedItem.self, value: values))
    }
    for id in 11...14 {
      let holder = realm.create(QueriedItem.self, value: ["id": id])
      guard id < 14 else { continue }
      holder.link = items[id - 11]
      holder.items.append(items[id - 11])
    }
  }

  @Test(arguments: Queried.kinds)
  func `Values and nil are compared by the same rules in all places`(_ kind: Queried.Kind) throws {
    let file = try TestFile()
    try file.write(Queried.types) { fill(kind, $0) }
    try file.open(Queried.types) { realm in
      let all = realm.objects(QueriedItem.self)
      let positions: [Int?] = [0, 1, nil]
      for (name, turned, rule) in Self.operators {
        guard kind.isOrdered || ["==", "!="].contains(name) else { continue }
        for constant in positions {
          let value: Any = constant.map { kind.values[$0] as Any } ?? (nil as Any?) as Any
          let matches = [1, 2, 3].filter { rule(positions[$0 - 1], constant) }
          let holders = matches.map { $0 + 10 }
          let nilMatches = rule(nil, constant) ? [14] : []
          let p = kind.property
          func expect(_ format: String, _ ids: [Int]) {
            expectEqual(
              all.filter(format, value).ids, ids,
              "\(format) with \(constant.map(String.init) ?? "nil")")
          }
          expect("id < 10 AND \(p) \(name) %@", matches)
          expect("id < 10 AND NOT \(p) \(name) %@", [1, 2, 3].filter { !matches.contains($0) })
          expect("id < 10 AND %@ \(turned) \(p)", matches)
          expect("id > 10 AND link.\(p) \(name) %@", holders + nilMatches)
          expect(
            "id > 10 AND NOT link.\(p) \(name) %@",
            [11, 12, 13, 14].filter { !(holders + nilMatches).contains($0) })
          expect("ANY items.\(p) \(name) %@", holders)
          expect(
            "id > 10 AND NONE items.\(p) \(name) %@",
            [11, 12, 13, 14].filter { !holders.contains($0) })
          expect("id > 10 AND ALL items.\(p) \(name) %@", holders + [14])
          expect(
            "id > 10 AND SUBQUERY(items, $i, $i.\(p) \(name) %@).@count == 1", holders)
        }
        // Two properties compare as a value and a constant do.
        let same = [1, 2, 3].filter { rule(positions[$0 - 1], positions[$0 - 1]) }
        expectEqual(
          all.filter("id < 10 AND \(kind.property) \(name) \(kind.property)").ids, same, "\(name)"
        )
      }
    }
  }

  @Test(arguments: Queried.kinds)
  func `Values are in lists and ranges`(_ kind: Queried.Kind) throws {
    let file = try TestFile()
    try file.write(Queried.types) { fill(kind, $0) }
    try file.open(Queried.types) { realm in
      let all = realm.objects(QueriedItem.self).filter("id < 10")
      let p = kind.property
      let (v, w) = (kind.values[0], kind.values[1])
      // An array of `Any` itself would be taken for the arguments.
      let withNil: Any = [v, NSNull()] as [Any]
      expectEqual(all.filter("\(p) IN %@", [v]).ids, [1])
      expectEqual(all.filter("\(p) IN %@", [v, w]).ids, [1, 2])
      expectEqual(all.filter("NOT \(p) IN %@", [w]).ids, [1, 3])
      expectEqual(all.filter("\(p) IN %@", withNil).ids, [1, 3])
      expectEqual(all.filter("NOT \(p) IN %@", withNil).ids, [2])
      expectTrue(all.filter("\(p) IN {}").ids.isEmpty)
      expectEqual(all.filter("NOT \(p) IN {}").ids, [1, 2, 3])
      expectEqual(all.filter("\(p) IN %@", Array(repeating: w, count: 100)).ids, [2])
      guard kind.isNumber || kind.property == "date" || kind.property == "mixed" else { return }
      expectEqual(all.filter("\(p) BETWEEN %@", [v, w]).ids, [1, 2])
      expectEqual(all.filter("\(p) BETWEEN {%@, %@}", w, w).ids, [2])
      expectTrue(all.filter("\(p) BETWEEN %@", [w, v]).ids.isEmpty)
      expectEqual(all.filter("NOT \(p) BETWEEN {%@, %@}", v, v).ids, [2, 3])
    }
  }

  /// The operators that look into texts, and what they say of a text and another one.
  private static let searches: [(String, @Sendable (String?, String?) -> Bool)] = [
    ("CONTAINS", { text, part in part != "" && part.map { text?.contains($0) == true } == true }),
    (
      "BEGINSWITH", { text, part in part != "" && part.map { text?.hasPrefix($0) == true } == true }
    ),
    ("ENDSWITH", { text, part in part != "" && part.map { text?.hasSuffix($0) == true } == true }),
    ("LIKE", { $0 == $1 }),
  ]

  @Test(arguments: ["string", "data"], ["", "[c]"])
  func `Texts and data are searched, and nil and nothing are found in none`(
    _ property: String, _ options: String
  ) throws {
    let texts: [String?] = ["abcab", "ab", "b", "", nil]
    func value(_ text: String?) -> Any? { property == "data" ? text.map { Data($0.utf8) } : text }
    let file = try TestFile()
    try file.write(Queried.types) { realm in
      for (index, text) in texts.enumerated() {
        var values: [String: Any] = ["id": index]
        values[property] = value(text)
        realm.create(QueriedItem.self, value: values)
      }
    }
    try file.open(Queried.types) { realm in
      let all = realm.objects(QueriedItem.self)
      for (name, rule) in Self.searches {
        for part in texts {
          let found = texts.indices.filter { rule(texts[$0], part) }
          let others = texts.indices.filter { !found.contains($0) }
          let argument = value(part) as Any
          let format = "\(property) \(name)\(options) %@"
          expectEqual(all.filter(format, argument).ids, found, "\(format), \(part ?? "nil")")
          expectEqual(
            all.filter("NOT \(format)", argument).ids, others, "\(format), \(part ?? "nil")")
        }
      }
    }
  }
}

/// Two positions, unless one of them is nil.
private func both(_ first: Int?, _ second: Int?) -> (Int, Int)? {
  guard let first, let second else { return nil }
  return (first, second)
}
