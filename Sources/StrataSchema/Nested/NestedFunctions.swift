/// The SQL functions that read nested collections.
package enum NestedFunctions {
  /// The type of a text that is one value of a collection.
  package static let element = "json"

  private static func value(_ stored: StoredValue, _ typeName: String) -> NestedValue? {
    guard typeName == element else { return NestedValue(stored, typeName: typeName) }
    guard case .text(let text) = stored else { return nil }
    do throws(NestedProblem) {
      return try NestedValue(text: text)
    } catch {
      return nil
    }
  }

  /// Returns the value at the end of a path; nil if there is no such value.
  package static func value(
    _ stored: StoredValue, _ typeName: String, at path: String
  ) -> NestedValue? {
    guard let path = NestedPath(text: path) else { return nil }
    return value(stored, typeName)?.values(at: path.steps).first
  }

  /// Returns the texts of all values at the end of a path, as a JSON array.
  package static func all(_ stored: StoredValue, _ typeName: String, at path: String) -> String {
    guard let path = NestedPath(text: path) else { return "[]" }
    let values = value(stored, typeName)?.values(at: path.steps) ?? []
    return NestedValue.list(values.map { .value(.text($0.text), .string) }).text
  }

  /// Returns a collection with its links to one class replaced by links to another class, or by
  /// nil. Returns nil if it has no such link.
  package static func relinked(
    _ stored: StoredValue, _ typeName: String, from className: String, to newName: String?
  ) -> String? {
    guard let value = value(stored, typeName) else { return nil }
    var hasLink = false
    let result = value.mapLinks { name, row in
      guard name == className else { return .link(className: name, row: row) }
      hasLink = true
      return newName.map { .link(className: $0, row: row) } ?? .null
    }
    return hasLink ? result.text : nil
  }

  /// Whether a collection links to an object of a class: to one row, or to any.
  package static func links(
    _ stored: StoredValue, _ typeName: String, to className: String, row: Int64?
  ) -> Bool {
    var found = false
    value(stored, typeName)?.forEach { value in
      if case .link(className, let target) = value, row == nil || row == target { found = true }
    }
    return found
  }
}
