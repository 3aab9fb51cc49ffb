import StrataSchema
import StrataStudio

extension SchemaComparison {
  /// The differences, under the name of each class: `-` for what only the first file has, `+` for
  /// what only the second has, `~` for what both have and is not the same.
  var lines: [String] {
    Array(differences.map(Self.block).joined(separator: [""]))
  }

  private static func block(_ difference: Difference) -> [String] {
    let name = PlainText.of(difference.className)
    switch difference {
    case .onlyInFirst(let object): return ["- class \(name)"] + properties(of: object, "-")
    case .onlyInSecond(let object): return ["+ class \(name)"] + properties(of: object, "+")
    case .changed(_, let changes):
      return ["~ class \(name)"] + changes.map { "  " + PlainText.of($0.line) }
    }
  }

  private static func properties(of object: ObjectSchema, _ mark: String) -> [String] {
    object.properties.map { "  \(mark) " + PlainText.of($0.declaration) }
  }
}

extension Property {
  fileprivate var declaration: String { "\(name): \(swiftType)" }
}

extension SchemaChange {
  /// The change in one line, without the class.
  fileprivate var line: String {
    switch self {
    case .addClass(let object): "+ class \(object.className)"
    case .addProperty(_, let property): "+ \(property.declaration)"
    case .removeProperty(_, let property): "- \(property.declaration)"
    case .changeType(_, let old, let new): "~ \(new.name): \(old.swiftType) → \(new.swiftType)"
    case .makeOptional(_, let new): "~ \(new.name): optional now"
    case .makeRequired(_, let new): "~ \(new.name): required now"
    case .addIndex(_, let new): "~ \(new.name): indexed now"
    case .removeIndex(_, let new): "~ \(new.name): no longer indexed"
    case .addTextIndex(_, let new): "~ \(new.name): full-text index now"
    case .removeTextIndex(_, let new): "~ \(new.name): no full-text index now"
    case .addCompoundIndex(_, let names): "+ compound index (\(names.joined(separator: ", ")))"
    case .removeCompoundIndex(_, let names): "- compound index (\(names.joined(separator: ", ")))"
    case .addPrimaryKey(_, let name): "~ primary key: none → \(name)"
    case .removePrimaryKey(_, let name): "~ primary key: \(name) → none"
    case .changePrimaryKey(_, let old, let new): "~ primary key: \(old) → \(new)"
    case .changeKind(_, let toEmbedded): toEmbedded ? "~ embedded now" : "~ not embedded now"
    }
  }
}
