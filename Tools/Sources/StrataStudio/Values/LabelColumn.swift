import GRDB
import StrataSchema

/// The property that labels an object for people.
///
/// It is the first text property among `name`, `title`, `label` and `fullName`; or else the primary
/// key; or else the first text property. Without any of these, the label is the class and the
/// identity.
struct LabelColumn: Sendable {
  private let className: String
  private let column: String?

  private static let usualNames = ["name", "title", "label", "fullName"]
  /// The maximum length of a label in characters.
  private static let maxLength = 80

  init(_ schema: ObjectSchema) {
    className = schema.className
    let texts = schema.properties.filter { $0.type == .string && $0.collection == nil }
    let usual = Self.usualNames.lazy.compactMap { name in texts.first { $0.name == name } }.first
    column = (usual ?? schema.primaryKeyProperty ?? texts.first)?.columnName
  }

  /// The SQL expression of the label, with the table alias `t`.
  var sql: String {
    column.map { "t.\(SQLName.quote($0))" } ?? "NULL"
  }

  func text(_ row: SQLRow, at index: Int, _ identity: Int64) -> String {
    let text =
      row.text(index, atMost: Self.maxLength)?.start ?? row.integer(index).map { "\($0)" } ?? ""
    return text.isEmpty ? "\(className) \(identity)" : text
  }
}

/// The labels of some objects, which are read with one statement for each class.
struct Labels {
  private var labels: [ObjectLink: String] = [:]

  init(of links: some Sequence<ObjectLink>, _ schema: StudioSchema, _ db: Database) throws {
    for (className, links) in Dictionary(grouping: Set(links), by: \.className) {
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

  /// The label of an object; nil if the object doesn't exist.
  subscript(link: ObjectLink) -> String? { labels[link] }
}

/// A list of identities as one parameter of a statement: a JSON array for `json_each`.
enum IdentityList {
  static func parameter(_ identities: some Sequence<Int64>) -> StoredValue {
    .text("[" + identities.map { "\($0)" }.joined(separator: ",") + "]")
  }
}
