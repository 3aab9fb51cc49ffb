/// The stored form of a property: see the one of ``Schema``.
extension Property: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, type, target, collection, optional, indexed, fullText, table
  }

  /// Reads the stored form; the property is then called as its column is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      type: try container.decode(PropertyType.self, forKey: .type),
      objectClassName: try container.decodeIfPresent(String.self, forKey: .target),
      collection: try container.decodeIfPresent(CollectionKind.self, forKey: .collection),
      isOptional: try container.decodeIfPresent(Bool.self, forKey: .optional) ?? false,
      isIndexed: try container.decodeIfPresent(Bool.self, forKey: .indexed) ?? false,
      hasTextIndex: try container.decodeIfPresent(Bool.self, forKey: .fullText) ?? false,
      tableName: try container.decodeIfPresent(String.self, forKey: .table)
    )
  }

  /// Writes the stored form, under the name of the column.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(columnName, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encodeIfPresent(objectClassName, forKey: .target)
    try container.encodeIfPresent(collection, forKey: .collection)
    if allowsNil { try container.encode(true, forKey: .optional) }
    if wantsIndex { try container.encode(true, forKey: .indexed) }
    if wantsTextIndex { try container.encode(true, forKey: .fullText) }
    try container.encodeIfPresent(tableName, forKey: .table)
  }
}
