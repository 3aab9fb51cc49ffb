import Foundation
import GRDB
import Strata

/// Conditions, each counted by this library and by the best hand-written statement.
extension Case {
  static var querying: [Case] {
    [
      counted(
        "equal-indexed", "indexed text is equal", repeating: 1_000, { $0.name == "Näme 77" },
        #""name" = 'Näme 77'"#),
      counted(
        "equal", "text without an index is equal", { $0.lastName == "Alast 26" },
        #""lastName" = 'Alast 26'"#),
      counted(
        "not-equal", "text that may be nil is another", { $0.nick != "Nick 7" },
        #""nick" IS NOT 'Nick 7'"#),
      counted(
        "range", "range of an indexed number", repeating: 100,
        { $0.code > 500_000 && $0.code < 501_000 }, #""code" > 500000 AND "code" < 501000"#),
      counted(
        "two", "number is greater, and text begins with",
        { $0.age > 30 && $0.lastName.starts(with: "A") },
        #""age" > 30 AND "lastName" >= 'A' AND "lastName" < 'B'"#),
      counted(
        "begins", "indexed text begins with", repeating: 100, { $0.name.starts(with: "Näme 77") },
        #""name" >= 'Näme 77' AND "name" < 'Näme 78'"#),
      counted(
        "contains", "text contains", { $0.lastName.contains("st 99") },
        #"instr("lastName", 'st 99') > 0"#),
      counted(
        "link-few", "property of a linked object, few match", { $0.dog.name == "Dog 77" },
        #"dog IN (SELECT _id FROM Pet WHERE name = 'Dog 77')"#),
      Case(
        query: "link-most", "property of a linked object, most match", { $0.dog.age > 1 },
        #"SELECT count(*) FROM Owner o LEFT JOIN Pet p ON p._id = o.dog WHERE p.age > 1"#),
      Case(
        query: "link-nil", "property of a linked object is another, or there is none",
        { $0.dog.name != "Dog 77" },
        #"SELECT count(*) FROM Owner o LEFT JOIN Pet p ON p._id = o.dog WHERE p.name IS NOT 'Dog 77'"#
      ),
      counted(
        "either", "one of two, on two classes", { $0.name == "Näme 77" || $0.dog.name == "Dog 77" },
        #""name" = 'Näme 77' OR dog IN (SELECT _id FROM Pet WHERE name = 'Dog 77')"#),
      counted(
        "any-few", "any element's property is equal, few match", { $0.dogs.name == "Dog 77" },
        """
        _id IN (SELECT owner FROM Owner_dogs JOIN Pet ON Pet._id = value WHERE name = 'Dog 77')
        """),
      counted(
        "any-most", "any element's property is greater, most match", { $0.dogs.age > 1 },
        """
        EXISTS (SELECT 1 FROM Owner_dogs JOIN Pet ON Pet._id = value \
        WHERE owner = Owner._id AND Pet.age > 1)
        """),
      counted(
        "tag", "a set contains a text", { $0.tags.contains("tag 77") },
        "_id IN (SELECT owner FROM Owner_tags WHERE value = 'tag 77')"),
      counted(
        "elements", "number of elements", { $0.dogs.count > 1 },
        "(SELECT count(*) FROM Owner_dogs WHERE owner = Owner._id) > 1"),
    ]
  }

  static var otherQueries: [Case] {
    [ignoringCase, ignoringCaseOutsideOfASCII, manyValues, firstSorted, readFiltered, oneByOne]
  }

  /// - Parameter times: The number of repetitions, if a single query is too short to measure.
  private static func counted(
    _ name: String, _ title: String, repeating times: Int = 1,
    _ condition: @escaping (Query<Owners.Owner>) -> Query<Bool>, _ sql: String, atMost: Double = 1.1
  ) -> Case {
    Case(
      query: name, title, repeating: times, condition,
      "SELECT count(*) FROM Owner WHERE \(sql)", atMost: atMost)
  }

  private init(
    query name: String, _ title: String, repeating times: Int = 1,
    _ condition: @escaping (Query<Owners.Owner>) -> Query<Bool>, _ sql: String, atMost: Double = 1.1
  ) {
    self.init(
      name: "where-\(name)", title: "count: \(title)", base: Owners.base,
      targets: [.ratio(to: .grdb, atMost: atMost)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          let owners = realm.objects(Owners.Owner.self)
          trial.answer = trial.time {
            (0..<times).reduce(0) { sum, _ in sum + owners.where(condition).count }
          }
        },
        Contestant(.grdb) { trial in
          trial.answer = try PlainDatabase.read(trial.file) { db in
            try trial.time {
              try (0..<times).reduce(0) { sum, _ in try sum + Self.count(sql, db) }
            }
          }
        },
      ] + (times == 1 ? [] : [Self.oneTransactionEach(sql, times)]))
  }

  private static func count(_ sql: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: sql)) ?? 0
  }

  /// Uses a read transaction for each query, as this library does: it takes longer than a small
  /// query.
  private static func oneTransactionEach(_ sql: String, _ times: Int) -> Contestant {
    Contestant(.grdbPool) { trial in
      let pool = try DatabasePool(path: trial.file.path)
      trial.answer = try trial.time {
        try (0..<times).reduce(0) { sum, _ in try sum + pool.read { try count(sql, $0) } }
      }
      try pool.close()
      // A pool leaves a WAL; this removes it.
      try PlainDatabase.open(trial.file) { _ in }
    }
  }

  // MARK: Texts

  private static var ignoringCase: Case {
    Case(
      query: "contains-c", "text contains, in upper or lower case",
      { $0.lastName.contains("ST 99", options: .caseInsensitive) },
      #"SELECT count(*) FROM Owner WHERE "lastName" LIKE '%ST 99%'"#, atMost: 1.3)
  }

  /// SQLite's `LIKE` ignores the case of ASCII letters only, so it does less work.
  private static var ignoringCaseOutsideOfASCII: Case {
    Case(
      query: "contains-c-unicode", "text with other letters contains, in upper or lower case",
      { $0.name.contains("ME 99", options: .caseInsensitive) },
      #"SELECT count(*) FROM Owner WHERE "name" LIKE '%ME 99%'"#, atMost: 2)
  }

  // MARK: Many values

  private static var manyValues: Case {
    Case(
      name: "where-in", title: "count: indexed number is one of 100,000", base: Owners.base,
      targets: [.ratio(to: .grdb, atMost: 1.5)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          let owners = realm.objects(Owners.Owner.self)
          trial.answer = trial.time {
            let codes = (0..<100_000).map { $0 * 10 }
            return owners.where { $0.code.in(codes) }.count
          }
        },
        Contestant(.grdb) { trial in
          trial.answer = try PlainDatabase.read(trial.file) { db in
            try trial.time {
              let codes = (0..<100_000).map { "\($0 * 10)" }.joined(separator: ",")
              return try Int.fetchOne(
                db,
                sql: "SELECT count(*) FROM Owner WHERE code IN (SELECT value FROM json_each(?))",
                arguments: ["[\(codes)]"]) ?? 0
            }
          }
        },
      ])
  }

  // MARK: Objects

  private static var firstSorted: Case {
    Case(
      name: "first-100", title: "the first 100 in the order of a text without an index",
      base: Owners.base, targets: [.ratio(to: .grdb, atMost: 1.1)], units: { _ in 100 },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          trial.answer = trial.time {
            realm.objects(Owners.Owner.self).sorted(byKeyPath: "lastName").limit(100)
              .reduce(0) { $0 + $1.id }
          }
        },
        Contestant(.grdb) { trial in
          trial.answer = try PlainDatabase.read(trial.file) { db in
            try trial.time {
              try Row.fetchAll(
                db, sql: "SELECT * FROM Owner ORDER BY lastName, _id LIMIT 100"
              ).reduce(0) { $0 + $1["id"] }
            }
          }
        },
      ])
  }

  private static var readFiltered: Case {
    Case(
      name: "read-filtered", title: "loop over filtered objects, of which all match",
      base: Owners.base, targets: [.ratio(to: .unfiltered, atMost: 1.05)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          trial.answer = trial.time {
            var sum = 0
            for owner in realm.objects(Owners.Owner.self).where({ $0.age >= 0 }) {
              sum += owner.age
            }
            return sum
          }
        },
        Contestant(.unfiltered) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          trial.answer = trial.time {
            var sum = 0
            for owner in realm.objects(Owners.Owner.self) { sum += owner.age }
            return sum
          }
        },
      ])
  }

  private static var oneByOne: Case {
    Case(
      name: "where-first", title: "one object by a condition on its key, 10,000 times",
      base: Owners.base, targets: [.ratio(to: .byKey, atMost: 3)], units: { _ in 10_000 },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          let rows = trial.rows
          trial.answer = trial.time {
            let owners = realm.objects(Owners.Owner.self)
            return (0..<10_000).reduce(0) { sum, number in
              let id = number * 7_919 % rows
              return sum + (owners.where { $0.id == id }.first?.age ?? 0)
            }
          }
        },
        Contestant(.byKey) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          let rows = trial.rows
          trial.answer = trial.time {
            (0..<10_000).reduce(0) { sum, number in
              let owner = realm.object(
                ofType: Owners.Owner.self, forPrimaryKey: number * 7_919 % rows)
              return sum + (owner?.age ?? 0)
            }
          }
        },
      ])
  }
}
