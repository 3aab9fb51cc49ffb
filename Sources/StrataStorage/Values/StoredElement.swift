package import StrataSchema

/// A value in a column or a collection, as the file keeps it.
public struct _StoredElement: Hashable, Sendable {
  package var value: StoredValue
  /// For an `AnyRealmValue` the name of its type: nil for none, `<Dog>` for an object.
  package var type: String?

  package init(_ value: StoredValue, type: String? = nil) {
    self.value = value
    self.type = type
  }

  package static let null = _StoredElement(.null)

  /// Whether a file would have the same bytes.
  package func isIdentical(to other: _StoredElement) -> Bool {
    type == other.type && value.isIdentical(to: other.value)
  }
}

extension _StoredElement {
  /// The value of an `AnyRealmValue` in two columns of a row.
  package init(_ row: RowValues, _ column: Int32) {
    self.init(StoredValue(row[column]))
    if case .text(let name) = StoredValue(row[column + 1]) { type = name }
  }

  /// The name that the type column of an `AnyRealmValue` has for an object of a class.
  package static func typeName(ofLinkTo className: String) -> String { "<\(className)>" }

  /// The class of the object that an `AnyRealmValue` holds; nil for other values.
  package var linkedClassName: String? {
    guard let type, type.hasPrefix("<"), type.hasSuffix(">") else { return nil }
    return String(type.dropFirst().dropLast())
  }

  /// Whether it is a list or a dictionary inside of an `AnyRealmValue`.
  package var isNested: Bool { type.map { NestedKind(rawValue: $0) != nil } ?? false }
}
