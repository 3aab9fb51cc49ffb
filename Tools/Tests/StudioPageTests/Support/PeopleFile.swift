import Foundation
import GRDB
import Strata

/// A file of ``People``, made by SQL: a million objects take some seconds.
///
/// The same numbers give the same objects.
struct PeopleFile {
  private let url: URL
  private let people: Int

  /// One dog for 20 people, one visit for 50; at least some of each.
  private var dogs: Int { max(50, people / 20) }
  private var visits: Int { max(50, people / 50) }
  /// The number of people with collections.
  private var detailed: Int { min(people, 100_000) }
  /// The number of people with an address.
  private var settled: Int { min(people, 20_000) }

  init(_ url: URL, people: Int) {
    self.url = url
    self.people = people
  }

  func make() throws {
    try makeClasses()
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF")
      try makeWords(db)
      try db.inTransaction {
        try makeDogs(db)
        try makePeople(db)
        try makeCollections(db)
        try makeVisits(db)
        try makeHostile(db)
        return .commit
      }
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }

  private func makeClasses() throws {
    let realm = try Realm(
      configuration: .init(fileURL: url, schemaVersion: 3, objectTypes: People.types))
    _ = realm
  }

  /// Words by their number, from 0.
  private func makeWords(_ db: Database) throws {
    let lists = [
      "first": People.firstNames, "last": People.lastNames, "cities": People.cities,
      "dogNames": People.dogNames, "bios": People.biographies,
    ]
    for (name, words) in lists {
      try db.execute(sql: "CREATE TEMP TABLE \(name) (n INTEGER PRIMARY KEY, word TEXT)")
      for (number, word) in words.enumerated() {
        try db.execute(
          sql: "INSERT INTO temp.\(name) VALUES (?, ?)", arguments: [number, word])
      }
    }
  }

  /// The numbers from 1 on.
  private func numbers(_ count: Int) -> String {
    "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count)) "
  }

  /// A number that looks random, from 0 to below another.
  private func mixed(_ salt: Int, _ limit: Int) -> String {
    "((((i + \(salt)) * 2654435761) % 4294967296) / 64 % \(limit))"
  }

  private func word(_ list: String, _ salt: Int, _ count: Int) -> String {
    "(SELECT word FROM temp.\(list) WHERE n = \(mixed(salt, count)))"
  }

  private func makeDogs(_ db: Database) throws {
    try db.execute(
      sql: """
        \(numbers(dogs)) INSERT INTO Dog (_id, name, age, weight, bestFriend) SELECT i, \
        \(word("dogNames", 1, People.dogNames.count)), \(mixed(2, 16)), \
        CASE WHEN \(mixed(3, 5)) > 0 THEN round(\(mixed(4, 4000)) / 100.0, 2) END, \
        CASE WHEN \(mixed(5, 10)) < 3 THEN 1 + \(mixed(6, dogs)) END FROM numbers
        """)
  }

  private func makePeople(_ db: Database) throws {
    try db.execute(
      sql: """
        \(numbers(settled)) INSERT INTO Address (_id, street, city, zip) \
        SELECT i, (i % 90 + 1) || ' Quay Street', \(word("cities", 7, People.cities.count)), \
        CASE WHEN i % 4 THEN printf('%04d', i % 10000) END FROM numbers
        """)
    try db.execute(
      sql: """
        \(numbers(people)) INSERT INTO Person (_id, id, name, age, city, email, active, born, \
        height, balance, dog, address, note, note_type, photo, token, bio) \
        SELECT i, printf('%08X-0000-4000-8000-%012X', i, \(mixed(8, 1 << 20))), \
        \(word("first", 9, People.firstNames.count)) || ' ' || \
        \(word("last", 10, People.lastNames.count)), \(mixed(11, 100)), \
        \(word("cities", 12, People.cities.count + 1)), \
        CASE WHEN \(mixed(13, 10)) > 2 THEN 'p' || i || '@example.org' END, \(mixed(14, 2)), \
        printf('%d-%02d-%02d %02d:00:00.000000000', 1930 + \(mixed(15, 90)), \
        1 + \(mixed(16, 12)), 1 + \(mixed(17, 28)), \(mixed(18, 24))), \
        CASE WHEN \(mixed(19, 10)) THEN round(1.4 + \(mixed(20, 60)) / 100.0, 2) END, \
        printf('%d.%02d', \(mixed(21, 1000)), \(mixed(22, 100))), \
        CASE WHEN \(mixed(23, 10)) < 6 THEN 1 + \(mixed(24, dogs)) END, \
        CASE WHEN i <= \(settled) THEN i END, \(notes("value")), \(notes("type")), \
        \(photos), \
        printf('%024x', i * 7919), \(word("bios", 25, People.biographies.count)) FROM numbers
        """)
  }

  private func notes(_ part: String) -> String {
    let notes: [(value: String, type: String)] = [
      ("i", "int"), ("'five'", "string"), ("5.5", "double"), ("1 + i % \(dogs)", "<Dog>"),
      ("'[1,[2,\"three\"]]'", "list"), ("1", "bool"),
      ("'2024-02-29 12:00:00.000000000'", "date"),
    ]
    let cases = notes.enumerated().map { number, note in
      "WHEN \(number) THEN " + (part == "value" ? note.value : "'\(note.type)'")
    }
    return "CASE i % 9 \(cases.joined(separator: " ")) END"
  }

  /// PNG images of one colour, and invalid image data.
  private var photos: String {
    let start =
      "89504e470d0a1a0a0000000d494844520000001000000010080200000090916836000000164944415478da63"
    let colours = [
      "e04e3a42126218d530aa61f86a00006d5e311055723eb4",
      "d0ab352209318c6a18d5307c3500007adedd01c927658f",
      "f8b0d68f24c430aa6154c3f0d50000a920eb105584dbef",
    ]
    let images = colours.enumerated().map { number, colour in
      "WHEN \(number * 3) THEN x'\(start)\(colour)0000000049454e44ae426082'"
    }
    return "CASE i % 10 \(images.joined(separator: " ")) WHEN 5 THEN x'00FF10' END"
  }

  private func makeCollections(_ db: Database) throws {
    for position in 0..<3 {
      try db.execute(
        sql: """
          \(numbers(detailed)) INSERT INTO Person_dogs (owner, position, value) \
          SELECT i, \(position), 1 + \(mixed(26 + position, dogs)) FROM numbers \
          WHERE i % 4 > \(position)
          """)
    }
    try db.execute(
      sql: """
        \(numbers(340)) INSERT INTO Person_dogs (owner, position, value) \
        SELECT 2, 9 + i, 1 + \(mixed(30, dogs)) FROM numbers
        """)
    for (number, tag) in ["go", "chess", "swift"].enumerated() {
      try db.execute(
        sql: """
          \(numbers(detailed)) INSERT INTO Person_tags (owner, value) \
          SELECT i, '\(tag)' FROM numbers WHERE i % 4 > \(number)
          """)
    }
    for (number, game) in ["chess", "go"].enumerated() {
      try db.execute(
        sql: """
          \(numbers(detailed)) INSERT INTO Person_scores (owner, key, value) \
          SELECT i, '\(game)', \(mixed(31 + number, 2000)) FROM numbers WHERE i % 3 > \(number)
          """)
    }
  }

  private func makeVisits(_ db: Database) throws {
    try db.execute(
      sql: """
        \(numbers(visits)) INSERT INTO Visit (_id, person, at, reason, amount) \
        SELECT i, CASE WHEN i % 10 THEN 1 + \(mixed(34, people)) END, \
        printf('2024-%02d-%02d 09:30:00.000000000', 1 + \(mixed(35, 12)), 1 + \(mixed(36, 28))), \
        CASE i % 4 WHEN 0 THEN 'check-up' WHEN 1 THEN 'flu' WHEN 2 THEN \
        replace(hex(zeroblob(150)), '0', 'a') END, \(mixed(37, 10000)) / 100.0 FROM numbers
        """)
  }

  private func makeHostile(_ db: Database) throws {
    let table = "\"\(People.element)\""
    let columns =
      "_id, \"a\"\"b\", \"__proto__\", constructor, \"</script><script>alert(2)</script>\""
    let sql = "INSERT INTO \(table) (\(columns)) VALUES (?, ?, ?, ?, ?)"
    try db.execute(
      sql: sql,
      arguments: [1, People.element, "__proto__", 7, "</script><script>alert(3)</script>"])
    try db.execute(
      sql: sql, arguments: [2, "../../etc/passwd%00", nil, 8, "\u{1B}[31m\u{202E}"])
  }
}
