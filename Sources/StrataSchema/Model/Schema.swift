/// A set of classes: what a program declares, or what a file contains.
///
/// The classes are always sorted by name in UTF-8 byte order. Realm promises this order in its
/// messages; `String.<` would not do, because it compares normalized text.
public struct Schema: Sendable, Hashable {
  /// The classes, sorted by name.
  public private(set) var objectSchema: [ObjectSchema]

  /// Creates a schema from classes in any order.
  package init(_ objectSchema: [ObjectSchema] = []) {
    self.objectSchema = objectSchema.sorted { SQLName.precedes($0.className, $1.className) }
  }

  /// The class with this name, or nil.
  public subscript(className: String) -> ObjectSchema? {
    let position = position(of: className)
    return has(className, at: position) ? objectSchema[position] : nil
  }

  /// The same schema as the file knows it: see ``ObjectSchema/stored``.
  package var stored: Schema {
    Schema(objectSchema.map(\.stored))
  }

  /// Adds a class, or replaces the one with the same name.
  package mutating func update(_ class: ObjectSchema) {
    let position = position(of: `class`.className)
    if has(`class`.className, at: position) {
      objectSchema[position] = `class`
    } else {
      objectSchema.insert(`class`, at: position)
    }
  }

  /// Removes the class with this name, if there is one.
  package mutating func remove(_ className: String) {
    let position = position(of: className)
    if has(className, at: position) { objectSchema.remove(at: position) }
  }

  /// Where the class with this name is, or would be.
  private func position(of className: String) -> Int {
    var low = 0
    var high = objectSchema.count
    while low < high {
      let middle = (low + high) / 2
      if SQLName.precedes(objectSchema[middle].className, className) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func has(_ className: String, at position: Int) -> Bool {
    position < objectSchema.count
      && SQLName.same(objectSchema[position].className, className)
  }
}

extension Schema {
  /// The contents of a file after a class got another name: links to it have the new name as well.
  ///
  /// In its stored form, as ``removing(_:)``.
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
  /// One line for humans, such as `age: int (indexed)`.
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
  /// The class, its properties and its indexes of several of them, one line each.
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
/// Names are column names, since those are all the file knows. Keys this version does not know
/// are ignored, so that a later one may add some without a new format.
extension Schema: Codable {
  /// The version of the shape. A reader must refuse any other: it could misread the contents.
  package static let format = 1

  private enum CodingKeys: String, CodingKey {
    case format, classes
  }

  /// Reads the stored form.
  ///
  /// - Throws: A `DecodingError` when the format is not the one that this version writes.
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
