import StrataSchema
import StrataStudio

/// The differences between the classes of two files.
struct SchemaComparison: Hashable {
  /// The differences of one class.
  enum Difference: Hashable {
    case onlyInFirst(ObjectSchema)
    case onlyInSecond(ObjectSchema)
    /// At least one change.
    case changed(className: String, [SchemaChange])

    var className: String {
      switch self {
      case .onlyInFirst(let object), .onlyInSecond(let object): object.className
      case .changed(let className, _): className
      }
    }
  }

  /// The differences, sorted by the name of the class.
  let differences: [Difference]

  init(_ first: Schema, _ second: Schema) {
    let names = Set((first.objectSchema + second.objectSchema).map { StoredText($0.className) })
    differences = names.sorted { SQLName.precedes($0.text, $1.text) }.compactMap { name in
      switch (first[name.text], second[name.text]) {
      case (let old?, let new?):
        let changes = SchemaDiff.changes(from: Schema([old]), to: Schema([new]))
        return changes.isEmpty ? nil : .changed(className: name.text, changes)
      case (let old?, nil): return .onlyInFirst(old)
      case (nil, let new?): return .onlyInSecond(new)
      case (nil, nil): return nil
      }
    }
  }

  /// Whether a program with the second schema needs a higher schema version for a file with the
  /// first one.
  ///
  /// New classes and indexes need no migration, and classes that only the file has don't matter.
  var needsMigration: Bool {
    differences.contains { difference in
      guard case .changed(_, let changes) = difference else { return false }
      return changes.contains(where: \.needsMigration)
    }
  }

  /// The number of differences. A class that one file doesn't have counts as one.
  var count: Int {
    differences.reduce(0) { count, difference in
      guard case .changed(_, let changes) = difference else { return count + 1 }
      return count + changes.count
    }
  }
}

extension SchemaComparison {
  /// The differences, grouped by class: `-` marks what only the first file has, `+` what only the
  /// second has, and `~` what differs between them.
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
  /// The change as one line, without the class.
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

extension JSONValue {
  /// The differences, each with its kind and the sentence that the library uses in its errors.
  init(_ comparison: SchemaComparison) {
    self = .array(comparison.differences.flatMap(Self.changes))
  }

  private static func changes(_ difference: SchemaComparison.Difference) -> [JSONValue] {
    switch difference {
    case .onlyInFirst(let object):
      [
        change(
          "removeClass", object.className,
          message: "Class '\(object.className)' has been removed.")
      ]
    case .onlyInSecond(let object): [JSONValue(SchemaChange.addClass(object))]
    case .changed(_, let changes): changes.map { JSONValue($0) }
    }
  }

  private static func change(
    _ kind: String, _ className: String, property: String? = nil, from: String? = nil,
    to: String? = nil, message: String
  ) -> JSONValue {
    [
      "change": .text(kind),
      "class": .text(className),
      "property": .optional(property) { .text($0) },
      "from": .optional(from) { .text($0) },
      "to": .optional(to) { .text($0) },
      "message": .text(message),
    ]
  }

  init(_ change: SchemaChange) {
    func value(
      _ kind: String, _ className: String, _ property: String? = nil, from: String? = nil,
      to: String? = nil
    ) -> JSONValue {
      Self.change(
        kind, className, property: property, from: from, to: to, message: change.description)
    }
    self =
      switch change {
      case .addClass(let object): value("addClass", object.className)
      case .addProperty(let name, let property):
        value("addProperty", name, property.name, to: property.swiftType)
      case .removeProperty(let name, let property):
        value("removeProperty", name, property.name, from: property.swiftType)
      case .changeType(let name, let old, let new):
        value("changeType", name, new.name, from: old.swiftType, to: new.swiftType)
      case .makeOptional(let name, let new): value("makeOptional", name, new.name)
      case .makeRequired(let name, let new): value("makeRequired", name, new.name)
      case .addIndex(let name, let new): value("addIndex", name, new.name)
      case .removeIndex(let name, let new): value("removeIndex", name, new.name)
      case .addTextIndex(let name, let new): value("addTextIndex", name, new.name)
      case .removeTextIndex(let name, let new): value("removeTextIndex", name, new.name)
      case .addCompoundIndex(let name, let names):
        value("addCompoundIndex", name, names.joined(separator: ", "))
      case .removeCompoundIndex(let name, let names):
        value("removeCompoundIndex", name, names.joined(separator: ", "))
      case .addPrimaryKey(let name, let key): value("addPrimaryKey", name, to: key)
      case .removePrimaryKey(let name, let key): value("removePrimaryKey", name, from: key)
      case .changePrimaryKey(let name, let old, let new):
        value("changePrimaryKey", name, from: old, to: new)
      case .changeKind(let name, let toEmbedded):
        value(toEmbedded ? "makeEmbedded" : "makeTopLevel", name)
      }
  }
}
