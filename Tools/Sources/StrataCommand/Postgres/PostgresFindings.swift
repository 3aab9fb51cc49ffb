import StrataStudio
import StrataSchema

/// The differences in PostgreSQL, each with its count.
struct PostgresFindings: Hashable {
  /// The kind of a difference in the values of a column.
  enum Kind: Hashable {
    /// A date was finer than a microsecond, and was rounded.
    case roundedDate
    /// A text had a zero byte.
    case zeroByte
    /// The stored value doesn't fit its property. In Strata it reads as nil or zero, too.
    case unreadable
    /// A link to a deleted object.
    case danglingLink
    /// An element whose object, or whose owner, was deleted.
    case lostElement
    /// Values are too long for a B-tree.
    case longValues
    /// Texts have more words than a full-text index takes.
    case longTexts
    /// A child has several parents in a link that allows one.
    case sharedChild
  }

  private struct Key: Hashable {
    var title: String
    var kind: Kind
  }

  private var counts: [Key: Int] = [:]
  private var order: [Key] = []
  private var renamed: [PostgresSchema.Renaming] = []

  init(_ renamed: [PostgresSchema.Renaming] = []) { self.renamed = renamed }

  mutating func add(_ kind: Kind, _ title: String) {
    let key = Key(title: title, kind: kind)
    if counts[key] == nil { order.append(key) }
    counts[key, default: 0] += 1
  }

  func has(_ kind: Kind, _ title: String) -> Bool { counts[Key(title: title, kind: kind)] != nil }

  /// The findings, one sentence a line.
  var lines: [String] {
    renamed.map { renaming in
      let name = PlainText.of(renaming.column ?? renaming.table)
      return "\(PlainText.of(renaming.title)) has the name '\(name)' in PostgreSQL."
    } + order.map { "\(PlainText.of($0.title)): \(Self.sentence($0.kind, counts[$0] ?? 0))" }
  }

  private static func sentence(_ kind: Kind, _ count: Int) -> String {
    switch kind {
    case .roundedDate:
      "\(Figures.count(count, "date was", "dates were")) rounded to microseconds."
    case .zeroByte:
      "\(Figures.count(count, "text")) with U+0000, which PostgreSQL refuses: "
        + "U+FFFD stands in its place."
    case .unreadable:
      "\(Figures.count(count, "value")) can't be read: nil or zero, as Strata reads it."
    case .danglingLink:
      "\(Figures.count(count, "link")) to a deleted object: NULL."
    case .lostElement:
      "\(Figures.count(count, "element was", "elements were")) left out, whose object was deleted."
    case .longValues:
      "Values are too long for an index of PostgreSQL. The index contains their hashes instead."
    case .longTexts:
      "The words of the first \(Figures.count(PostgresSQL.longestWords)) characters are indexed."
    case .sharedChild:
      "Embedded objects have several parents. The index is not unique."
    }
  }
}
