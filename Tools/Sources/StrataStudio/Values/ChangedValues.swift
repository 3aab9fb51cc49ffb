/// The values that differ between a file of Realm and its copy, because a file of Strata can't hold
/// the original.
///
/// ```swift
/// changed.record("a number that is NaN", className: "Dog", property: "weight", identity: 5)
/// ```
package struct ChangedValues: Sendable {
  /// The identities of one property in ascending order, and the kind of each original value.
  private struct ChangedRows: Sendable {
    var identities: [Int64] = []
    var kinds: [UInt8] = []
  }

  /// A changed value, or a value with changed elements, of one object.
  private struct Item: Sendable {
    var className: String
    var property: String
    var identity: Int64
    var word: String
  }

  private static let maxListed = 100

  /// The first hundred items of each kind.
  private var first: [Item] = []
  private var counts: [String: Int] = [:]
  private var rows: [String: [String: ChangedRows]] = [:]
  /// The descriptions of the original values, one for each kind.
  private var words: [String] = []

  package init() {}

  /// Records a value. Callers pass the values of a property by ascending identity. A collection
  /// counts once, even if several elements are changed.
  package mutating func record(
    _ word: String, className: String, property: String, identity: Int64
  ) {
    counts[word, default: 0] += 1
    if counts[word, default: 0] <= Self.maxListed {
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

  /// The description of the original value; nil if it is unchanged.
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

  /// The first hundred items of each kind, for the page.
  package var list: JSONValue {
    .array(
      first.map { item in
        [
          "class": .text(item.className), "property": .text(item.property),
          "id": .int(item.identity), "original": .text(item.word),
        ]
      })
  }

  /// Adds the description of the original to a value of the page, if they differ.
  func marked(
    _ value: JSONValue, _ className: String, _ property: String, _ identity: Int64
  ) -> JSONValue {
    guard let word = word(className, property, identity) else { return value }
    return ["changed": value, "original": .text(word)]
  }
}
