/// A set of classes that a program declares, or that a file contains.
///
/// The classes are always sorted by name in UTF-8 byte order, like in Realm's messages. `String.<`
/// would compare normalized text.
public struct Schema: Sendable, Hashable {
  /// The classes, sorted by name.
  public private(set) var objectSchema: [ObjectSchema]

  /// Creates a schema from classes in any order.
  package init(_ objectSchema: [ObjectSchema] = []) {
    self.objectSchema = objectSchema.sorted { SQLName.precedes($0.className, $1.className) }
  }

  /// The class with this name; nil if not found.
  public subscript(className: String) -> ObjectSchema? {
    let position = position(of: className)
    return has(className, at: position) ? objectSchema[position] : nil
  }

  /// The schema with its names in the file: see ``ObjectSchema/stored``.
  package var stored: Schema {
    Schema(objectSchema.map(\.stored))
  }

  /// Adds a class, or replaces the class with the same name.
  package mutating func update(_ class: ObjectSchema) {
    let position = position(of: `class`.className)
    if has(`class`.className, at: position) {
      objectSchema[position] = `class`
    } else {
      objectSchema.insert(`class`, at: position)
    }
  }

  package mutating func remove(_ className: String) {
    let position = position(of: className)
    if has(className, at: position) { objectSchema.remove(at: position) }
  }

  /// Returns the position of the class with this name, or its insertion point.
  private func position(of className: String) -> Int {
    objectSchema.indices.bisected { SQLName.precedes(objectSchema[$0].className, className) }
  }

  private func has(_ className: String, at position: Int) -> Bool {
    position < objectSchema.count
      && SQLName.same(objectSchema[position].className, className)
  }
}

extension Schema {
  /// Returns the schema of a file after a class was renamed, including the links to it.
  ///
  /// In its stored form, like ``removing(_:)``.
  package func renaming(_ className: String, to newName: String) -> Schema {
    Schema(
      stored.objectSchema.map { schema in
        var schema = schema
        if SQLName.same(schema.className, className) { schema.className = newName }
        for index in schema.properties.indices
        where SQLName.same(schema.properties[index].objectClassName ?? "", className) {
          schema.properties[index].objectClassName = newName
        }
        return schema
      })
  }
}

extension Property: CustomStringConvertible {
  /// One line for people, such as `age: int (indexed)`.
  public var description: String { line(isPrimaryKey: false) }

  fileprivate func line(isPrimaryKey: Bool) -> String {
    var notes: [String] = []
    if isPrimaryKey { notes.append("primary key") }
    if isOptional { notes.append("optional") }
    if wantsIndex { notes.append("indexed") }
    if wantsTextIndex { notes.append("full text") }
    if columnName != name { notes.append("column '\(columnName)'") }
    if let linkOriginPropertyName { notes.append("through '\(linkOriginPropertyName)'") }
    let suffix = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
    return "\(name): \(typeName)\(suffix)"
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class, its properties and its compound indexes, one line each.
  public var description: String {
    let properties = allProperties.map { $0.line(isPrimaryKey: $0.name == primaryKey) }
    let indexes = compoundIndexes.map { "compound index (\($0.joined(separator: ", ")))" }
    let lines = (properties + indexes).map { "\n  " + $0 }
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\(lines.joined())\n}"
  }
}

extension Schema: CustomStringConvertible {
  /// All classes, sorted by name, and their properties.
  public var description: String {
    let lines = objectSchema.flatMap { $0.description.split(separator: "\n") }
    return "Schema {\(lines.map { "\n  " + $0 }.joined())\n}"
  }
}

/// The stored form of a schema.
///
/// ```json
/// { "format": 1, "classes": [{ "name": "Dog", "primaryKey": "id", "properties": [
///   { "name": "id", "type": "int" },
///   { "name": "owner", "type": "object", "target": "Person", "optional": true }
/// ] }] }
/// ```
/// Names are column names, because the file stores no others. Unknown keys are ignored, so that a
/// later version may add keys without a new format.
extension Schema: Codable {
  /// The version of the format. A reader must refuse any other version, because it could misread
  /// the contents.
  package static let format = 1

  private enum CodingKeys: String, CodingKey {
    case format, classes
  }

  /// Reads the stored form.
  ///
  /// - Throws: A `DecodingError` if the format is not the format that this version writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard format == Self.format else {
      throw DecodingError.dataCorruptedError(
        forKey: .format,
        in: container,
        debugDescription:
          "The schema is stored in format \(format), and only format \(Self.format) is known."
      )
    }
    self.init(try container.decode([ObjectSchema].self, forKey: .classes))
  }

  /// Writes the stored form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(objectSchema, forKey: .classes)
  }
}

/// The names that a migration has changed so far, rename by rename. A later rename may give a freed
/// name to another class.
package struct ChangedNames: Sendable, Hashable, Codable {
  /// The new names of classes, by their old names.
  package private(set) var classes: [String: String] = [:]
  /// The new names of properties, by their old names, by the present name of the class.
  package private(set) var properties: [String: [String: String]] = [:]

  package init() {}

  package mutating func renameClass(_ old: String, to new: String) {
    Self.rename(old, to: new, in: &classes)
    properties[new] = properties.removeValue(forKey: old)
  }

  /// - Parameter className: The present name of the class.
  package mutating func renameProperty(_ old: String, of className: String, to new: String) {
    Self.rename(old, to: new, in: &properties[className, default: [:]])
  }

  private static func rename(_ old: String, to new: String, in names: inout [String: String]) {
    let origin = names.first { $0.value == old }?.key ?? old
    names[origin] = new
  }
}

extension Range<Int> {
  /// Returns the first position for which a condition is false, or the end. The condition must be
  /// true before that position, and false from there on.
  @inlinable
  package func bisected<Failure>(
    _ isBefore: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
