/// The values that the copy of a file of Realm has in another form, because a file of this library
/// can't hold what was there.
///
/// ```swift
/// changed.note("a number that is NaN", className: "Dog", property: "weight", identity: 5)
/// ```
package struct ChangedValues: Sendable {
  /// The identities of a property in ascending order, and what the file had, by its number.
  private struct ChangedRows: Sendable {
    var identities: [Int64] = []
    var kinds: [UInt8] = []
  }

  /// A value, or an element of one, by its object.
  private struct Item: Sendable {
    var className: String
    var property: String
    var identity: Int64
    var word: String
  }

  private static let mostListed = 100

  /// The first hundred of each kind.
  private var first: [Item] = []
  private var counts: [String: Int] = [:]
  private var rows: [String: [String: ChangedRows]] = [:]
  /// The values that were there, in words: there are few kinds.
  private var words: [String] = []

  package init() {}

  /// Notes a value. Those of a property come by ascending identities; a collection, of which
  /// several elements are changed, is one value.
  package mutating func note(
    _ word: String, className: String, property: String, identity: Int64
  ) {
    counts[word, default: 0] += 1
    if counts[word, default: 0] <= Self.mostListed {
      first.append(
        Item(className: className, property: property, identity: identity, word: word))
    }
    if !words.contains(word) { words.append(word) }
    let kind = UInt8(words.firstIndex(of: word) ?? 0)
    var found = rows[className, default: [:]].removeValue(forKey: property) ?? ChangedRows()
    if found.identities.last != identity {
      found.identities.append(identity)
      found.kinds.append(kind)
    }
    rows[className, default: [:]][property] = found
  }

  /// The value in the file of Realm, in words; nil for one that is the same there.
  func word(_ className: String, _ property: String, _ identity: Int64) -> String? {
    guard let found = rows[className]?[property] else { return nil }
    var range = found.identities.indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if found.identities[middle] == identity { return words[Int(found.kinds[middle])] }
      range =
        found.identities[middle] < identity
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The first hundred of each kind, as the page lists them.
  package var list: JSONValue {
    .array(
      first.map { item in
        [
          "class": .text(item.className), "property": .text(item.property),
          "id": .int(item.identity), "original": .text(item.word),
        ]
      })
  }

  /// A value of the wire, with what was there if that is something else.
  func marked(
    _ value: JSONValue, _ className: String, _ property: String, _ identity: Int64
  ) -> JSONValue {
    guard let word = word(className, property, identity) else { return value }
    return ["changed": value, "original": .text(word)]
  }
}
