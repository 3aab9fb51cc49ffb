extension ConversionFinding: CustomStringConvertible {
  /// What it is and where, without the value.
  public var description: String {
    guard let place else { return text }
    return "\(place): \(text)"
  }

  /// `Person.weight of object 5`.
  private var place: String? {
    guard let className else { return nil }
    let name = property.map { "\(className).\($0)" } ?? className
    return objectKey.map { "\(name) of object \($0)" } ?? name
  }

  /// What it is, without its place.
  package var text: String {
    switch kind {
    case .nan: "a number that is NaN"
    case .date: "a date outside of the years 0 to 9999"
    case .invalidText: "a text that is not UTF-8"
    case .danglingLink: "a link to an object that the file doesn't have"
    case .nestedCollection: "a set, or too many levels, inside of an AnyRealmValue"
    case .missingValue: "a required value is nil"
    case .duplicateKey: "the same key twice"
    case .sharedObject: "an embedded object that has two parents"
    case .orphan: "an embedded object without a parent"
    case .asymmetricClass: "an asymmetric class"
    case .bookkeepingClass: "a class in which a synchronised file keeps its accounts"
    case .omittedProperty: "leads to a class that is left out"
    case .schema, .schemaVersion: detail ?? "can't be kept"
    }
  }
}

extension ConversionFinding.Kind {
  /// What the caller can do about it.
  package var repair: String {
    switch self {
    case .nan: "Choose '.nan(.asNil)', or '.nan(.asNilOrZero)' for required properties."
    case .date: "Choose '.dates(.clamped)', or '.dates(.asNil)' for optional properties."
    case .invalidText: "Choose '.invalidText(.repaired)'."
    case .danglingLink: "Choose '.danglingLinks(.asNil)'."
    case .nestedCollection: "Choose '.nestedCollections(.asNil)', or change the values with Realm."
    case .asymmetricClass: "Choose '.asymmetricClasses(.leftOut)'."
    case .bookkeepingClass, .omittedProperty:
      "Choose '.bookkeepingClasses(.leftOut)' and '.asymmetricClasses(.leftOut)'."
    case .missingValue, .duplicateKey, .sharedObject, .orphan:
      "The file is damaged: convert a backup of it, or repair the objects with Realm."
    case .schema: "Rename it with Realm, in a migration of the old program."
    case .schemaVersion:
      "Open the file with Realm and a configuration that has a lower version, or none."
    }
  }
}

extension ConversionFindings: CustomStringConvertible {
  /// How many findings a line shows of each kind.
  private static let shown = 3

  /// A line for each kind, with the first places.
  public var description: String { lines { _ in "" } }

  /// The same, with what to do about each.
  var withRepairs: String { lines { " \($0.repair)" } }

  private func lines(_ end: (ConversionFinding.Kind) -> String) -> String {
    ConversionFinding.Kind.allCases.compactMap { kind -> String? in
      guard let count = counts[kind] else { return nil }
      let first = self[kind].prefix(Self.shown).map(\.description).joined(separator: "; ")
      let more = count > Self.shown ? "; and \(count - Self.shown) more" : ""
      return "- \(first)\(more).\(end(kind))"
    }.joined(separator: "\n")
  }
}
