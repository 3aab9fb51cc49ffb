/// A person in one of the paper lists.
struct Entry: Equatable {
  var id: Int
  var firstName: String
  var lastName: String
  var age: Int
  var email: String?

  var fullName: String {
    [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// The people of the example, always the same ones.
enum People {
  /// The entries that were typed into the files of versions 0 to 4: the list of Lisbon, the list of
  /// Oslo, and the last page of Oslo's once more.
  static let typed: [Entry] = lisbon + oslo + oslo.suffix(12)

  /// The expected entries when each number belongs to one person, as in files of version 5.
  ///
  /// The check of the migration relies on this list, so it doesn't use `typed`, and is computed
  /// differently from the migration. Lisbon keeps its numbers, and each person in Oslo with a used
  /// number gets one after the highest.
  static let resolved: [Entry] = {
    let taken = Set(lisbon.map(\.id))
    var highest = (lisbon + oslo).map(\.id).max() ?? 0
    return lisbon
      + oslo.map { entry in
        var entry = entry
        if taken.contains(entry.id) {
          highest += 1
          entry.id = highest
        }
        return entry
      }
  }()

  private static let lisbon = list(
    of: 190, Names.lisbon, Names.portugueseFirst, Names.portugueseLast, domain: "lisboa.example",
    seed: 1_143)

  private static let oslo = list(
    of: 160, Names.oslo, Names.norwegianFirst, Names.norwegianLast, domain: "oslo.example",
    seed: 1_814)

  /// Some known people, and then generated ones; numbers have gaps where people moved away.
  private static func list(
    of count: Int, _ known: [(first: String, last: String, age: Int)], _ firstNames: [String],
    _ lastNames: [String], domain: String, seed: UInt64
  ) -> [Entry] {
    var random = Random(state: seed)
    var entries: [Entry] = []
    var id = 0
    for index in 0..<count {
      id += random.next(below: 5) == 0 ? 2 : 1
      let first = firstNames[random.next(below: firstNames.count)]
      let last = lastNames[random.next(below: lastNames.count)]
      let age = random.next(below: 96)
      let hasEmail = random.next(below: 4) != 0
      var entry = Entry(id: id, firstName: first, lastName: last, age: age)
      if index < known.count {
        (entry.firstName, entry.lastName, entry.age) = known[index]
      }
      if hasEmail { entry.email = "\(address(entry.fullName) ?? "post\(id)")@\(domain)" }
      entries.append(entry)
    }
    return entries
  }

  /// A name in the letters of an email address; nil if it has no Latin letters.
  private static func address(_ name: String) -> String? {
    let words = name.lowercased().split(separator: " ").map { word in
      String(word.flatMap { Array(plainLetters[$0] ?? String($0)) }.filter { "a"..."z" ~= $0 })
    }.filter { !$0.isEmpty }
    guard let first = words.first, let last = words.last else { return nil }
    return words.count == 1 ? first : "\(first).\(last)"
  }

  private static let plainLetters: [Character: String] = [
    "á": "a", "â": "a", "ã": "a", "å": "aa", "ç": "c", "é": "e", "ê": "e", "ë": "e", "í": "i",
    "ó": "o", "õ": "o", "ö": "o", "ú": "u", "ü": "u", "æ": "ae", "ø": "oe", "ı": "i", "ş": "s",
    "ễ": "e", "ị": "i", "ọ": "o",
  ]
}

/// A SplitMix64 generator: the same numbers on each machine.
private struct Random {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(bound))
  }
}
