import StrataSchema
import StrataStudio

/// The classes of a file as tables, one for each.
enum SchemaText {
  static func lines(_ document: SchemaDocument) -> [String] {
    let classes = document.schema.objectSchema
    guard !classes.isEmpty else { return ["The file has no classes."] }
    let blocks = classes.map { block($0, kind: document.kind(of: $0)) } + [document.facts.block]
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private static func block(_ object: ObjectSchema, kind: String) -> [String] {
    let title = PlainText.of(object.className) + (kind == "object" ? "" : " (\(kind))")
    guard !object.properties.isEmpty else { return [title, "  no properties"] }
    let table = TextTable(
      columns: [.init("property"), .init("type"), .init("notes")],
      rows: object.properties.map { property in
        [property.name, property.swiftType, notes(property, of: object)]
      })
    let indexes = object.compoundIndexes.map {
      PlainText.of("compound index (\($0.joined(separator: ", ")))")
    }
    return [title] + (table.lines + indexes).map { "  " + $0 }
  }

  private static func notes(_ property: Property, of object: ObjectSchema) -> String {
    var notes: [String] = []
    if property.name == object.primaryKey { notes.append("primary key") }
    if property.wantsIndex { notes.append("indexed") }
    if property.wantsTextIndex { notes.append("full text") }
    return notes.joined(separator: ", ")
  }
}
