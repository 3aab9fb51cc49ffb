import GRDB
import StrataSchema

/// The property whose value a person would call an object by.
///
/// That is the first of `name`, `title`, `label` and `fullName` that is a text, else the primary
/// key, else the first text; an object without any is called after its class and its identity.
struct LabelColumn: Sendable {
  private let className: String
  private let column: String?

  private static let usualNames = ["name", "title", "label", "fullName"]
  /// In characters.
  private static let longest = 80

  init(_ schema: ObjectSchema) {
    className = schema.className
    let texts = schema.properties.filter { $0.type == .string && $0.collection == nil }
    let usual = Self.usualNames.lazy.compactMap { name in texts.first { $0.name == name } }.first
    column = (usual ?? schema.primaryKeyProperty ?? texts.first)?.columnName
  }

  /// The value, in SQL about the table `t`.
  var sql: String {
    column.map { "t.\(SQLName.quote($0))" } ?? "NULL"
  }

  func text(_ row: SQLRow, at index: Int, _ identity: Int64) -> String {
    let text =
      row.text(index, atMost: Self.longest)?.start ?? row.integer(index).map { "\($0)" } ?? ""
    return text.isEmpty ? "\(className) \(identity)" : text
  }
}

/// The labels of objects, read with one statement for each class.
struct LabelReader {
  private let schema: StudioSchema
  private let db: Database
  private var labels: [ObjectLink: String] = [:]

  init(_ schema: StudioSchema, _ db: Database) {
    self.schema = schema
    self.db = db
  }

  mutating func read(_ links: some Sequence<ObjectLink>) throws {
    let missing = Set(links).subtracting(labels.keys)
    for (className, links) in Dictionary(grouping: missing, by: \.className) {
      guard let target = schema.schema[className] else { continue }
      let label = LabelColumn(target)
      let identity = SQLName.quote(target.identityColumn)
      try db.forEachRow(
        """
        SELECT t.\(identity), \(label.sql) FROM \(SQLName.quote(className)) AS t \
        WHERE t.\(identity) IN (SELECT value FROM json_each(?))
        """, [IdentityList.parameter(links.map(\.identity))]
      ) { row in
        guard let identity = row.integer(0) else { return }
        labels[ObjectLink(className: className, identity: identity)] = label.text(
          row, at: 1, identity)
      }
    }
  }

  /// The label of an object; nil if it isn't there.
  subscript(link: ObjectLink) -> String? { labels[link] }
}

/// Identities as one parameter of a statement: an array of JSON, for `json_each`.
enum IdentityList {
  static func parameter(_ identities: some Sequence<Int64>) -> StoredValue {
    .text("[" + identities.map { "\($0)" }.joined(separator: ",") + "]")
  }
}
