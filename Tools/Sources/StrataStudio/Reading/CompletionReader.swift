import GRDB
import StrataQuery
import StrataSchema

/// A reader of completions for a condition: words of the language and the schema, and values of the
/// file that an index finds quickly.
struct CompletionReader {
  let schema: StudioSchema
  let db: Database

  private static let maxValues = 20

  /// - Parameters:
  ///   - question: The class, and the whole text of the condition.
  ///   - position: The cursor, in UTF-16 units from the beginning.
  func json(_ question: Question, at position: Int) throws -> JSONValue {
    let text = question.condition
    let units = text.utf16
    let end =
      units.index(
        units.startIndex, offsetBy: max(0, position), limitedBy: units.endIndex) ?? units.endIndex
    guard let queryClass = schema.queries[question.className] else {
      throw RequestFailure.gone(
        "The file has no class '\(PlainText.of(question.className))'. Load the page again.")
    }
    let completion = QueryCompletion(of: String(text[..<end]), of: queryClass, schema.queries)
    let items = try values(completion) + completion.items.map(Self.json)
    return [
      "from": .int(
        units.distance(from: units.startIndex, to: end) - completion.partial.utf16.count),
      "items": .array(items),
      "problem": problem(question),
    ]
  }

  private static func json(_ item: QueryCompletion.Item) -> JSONValue {
    [
      "text": .text(item.text), "detail": .text(item.detail), "kind": .text(item.kind.rawValue),
    ]
  }

  private func problem(_ question: Question) -> JSONValue {
    do throws(RequestFailure) {
      _ = try question.request(schema)
      return .null
    } catch {
      return [
        "message": .text(error.message),
        "column": error.details.first { $0.name == "column" }?.value ?? .null,
      ]
    }
  }

  /// The values of an indexed string property that begin with the typed text.
  private func values(_ completion: QueryCompletion) throws -> [JSONValue] {
    guard let (property, typed) = completion.value, property.type == .string,
      property.property.collection == nil, property.property.isIndexed
    else { return [] }
    let column = property.column
    var found: [String] = []
    try db.forEachRow(
      """
      SELECT DISTINCT \(column) FROM \(SQLName.quote(property.className)) \
      WHERE \(column) >= ?1 AND substr(CAST(\(column) AS BLOB), 1, length(?2)) = ?2 ORDER BY 1 \
      LIMIT \(Self.maxValues)
      """, [.text(typed), .blob(Array(typed.utf8))]
    ) { row in
      if let text = row.text(0) { found.append(text) }
    }
    return found.map { value in
      let escaped = value.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return ["text": .text("'\(escaped)'"), "detail": "value", "kind": "value"]
    }
  }
}
