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
