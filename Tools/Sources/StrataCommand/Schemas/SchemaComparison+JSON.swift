import StrataSchema
import StrataStudio

extension JSONValue {
  /// The differences, each with the name of its kind and the sentence that errors of openings have.
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
