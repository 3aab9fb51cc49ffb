/// A part of a Realm file that a file of this library can't store, and its place.
public struct ConversionFinding: Sendable, Hashable {
  /// The kind of the finding.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A `Float` or `Double` that is NaN.
    case nan
    /// A date before the year 0 or after 9999.
    case date
    /// A string, or the key of a map, that is not UTF-8.
    case invalidText
    /// A link to an object that is missing from the file.
    case danglingLink
    /// A set inside an `AnyRealmValue`, or more than 100 nested lists and maps.
    case nestedCollection
    /// A required value that is nil in the file.
    case missingValue
    /// Objects with the same primary key, or entries of a map with the same key.
    case duplicateKey
    /// An embedded object with several parents, or several times in one.
    case sharedObject
    /// An embedded object without a parent.
    case orphan
    /// A class whose objects Realm only sends to a server.
    case asymmetricClass
    /// A class in which a synchronized file stores internal data.
    case bookkeepingClass
    /// A property with objects of an omitted class.
    case omittedProperty
    /// A name, or another part of the schema, that tables can't have.
    case schema
    /// A schema version above `Int64.max`.
    case schemaVersion
  }

  /// The kind of the finding.
  public let kind: Kind
  /// The class; nil for the schema as a whole.
  public let className: String?
  /// The property, by its name in the file.
  public let property: String?
  /// Realm's key of the object, for `RealmFile.object(_:key:)`.
  public let objectKey: Int64?
  /// The problem of the schema, for a finding in the schema.
  package let detail: String?

  package init(
    _ kind: Kind, className: String? = nil, property: String? = nil, objectKey: Int64? = nil,
    detail: String? = nil
  ) {
    self.kind = kind
    self.className = className
    self.property = property
    self.objectKey = objectKey
    self.detail = detail
  }
}

/// The findings of each kind: their number, and the places of the first ones.
public struct ConversionFindings: Sendable, Hashable {
  /// The number of listed findings of each kind.
  public static let maxListed = 100

  /// The first hundred findings of each kind, in the order in which they were found.
  public private(set) var listed: [ConversionFinding] = []
  /// The number of findings of each kind, listed or not.
  public private(set) var counts: [ConversionFinding.Kind: Int] = [:]

  package init() {}

  /// Whether nothing was found.
  public var isEmpty: Bool { counts.isEmpty }

  /// The number of all findings.
  public var count: Int { counts.values.reduce(0, +) }

  /// The listed findings of a kind.
  public subscript(kind: ConversionFinding.Kind) -> [ConversionFinding] {
    listed.filter { $0.kind == kind }
  }

  package mutating func record(_ finding: ConversionFinding) {
    let count = counts[finding.kind, default: 0]
    counts[finding.kind] = count + 1
    if count < Self.maxListed { listed.append(finding) }
  }
}

extension ConversionFinding: CustomStringConvertible {
  /// The finding and its place, without the value.
  public var description: String {
    guard let place else { return text }
    return "\(place): \(text)"
  }

  /// The place, such as `Person.weight of object 5`.
  private var place: String? {
    guard let className else { return nil }
    let name = property.map { "\(className).\($0)" } ?? className
    return objectKey.map { "\(name) of object \($0)" } ?? name
  }

  /// The finding without its place.
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
  /// The advice for the caller.
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
  /// The number of findings of each kind in a line.
  private static let shown = 3

  /// A line for each kind, with the first places.
  public var description: String { lines { _ in "" } }

  /// The lines with the repair for each kind.
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
