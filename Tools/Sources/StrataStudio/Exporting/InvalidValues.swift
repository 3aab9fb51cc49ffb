import StrataSchema

/// The exported values that don't fit their properties, because another program wrote them. They
/// are exported unchanged.
package final class InvalidValues {
  /// A property and the number of its values that don't fit.
  package struct Entry: Hashable {
    /// The class and the property, such as `Person.born`.
    package var title: String
    package var typeName: String
    package var count: Int
  }

  package private(set) var entries: [Entry] = []
  /// Whether embedded objects are checked inside of their parents.
  let includesEmbedded: Bool

  package init(includesEmbedded: Bool) { self.includesEmbedded = includesEmbedded }

  /// Checks a value of a property, or an element of a collection, and records it if it doesn't fit.
  ///
  /// - Parameter typeName: The stored type, for an `AnyRealmValue`.
  func record(
    _ value: NestedValue, _ typeName: String?, of property: Property, in className: String
  ) {
    let isValid =
      switch value {
      case .null: property.isNullable
      case .link, .list, .dictionary: true
      case .value(let stored, let type):
        type.holds(stored) && (property.type != .any || type.rawValue == typeName)
      }
    guard !isValid else { return }
    let title = "\(className).\(property.name)"
    if let index = entries.firstIndex(where: { $0.title == title }) {
      entries[index].count += 1
    } else {
      entries.append(Entry(title: title, typeName: property.type.rawValue, count: 1))
    }
  }
}
