/// The stored form of a class: see the one of ``Schema``.
extension ObjectSchema: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, primaryKey, embedded, properties, indexes
  }

  /// Reads the stored form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      className: try container.decode(String.self, forKey: .name),
      properties: try container.decode([Property].self, forKey: .properties),
      primaryKey: try container.decodeIfPresent(String.self, forKey: .primaryKey),
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: .embedded) ?? false,
      compoundIndexes: try container.decodeIfPresent([[String]].self, forKey: .indexes) ?? []
    )
  }

  /// Writes the stored form: column names, and no computed properties.
  public func encode(to encoder: any Encoder) throws {
    let stored = stored
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stored.className, forKey: .name)
    try container.encodeIfPresent(stored.primaryKey, forKey: .primaryKey)
    if stored.isEmbedded {
      try container.encode(true, forKey: .embedded)
    }
    try container.encode(stored.properties, forKey: .properties)
    if !stored.compoundIndexes.isEmpty {
      try container.encode(stored.compoundIndexes, forKey: .indexes)
    }
  }
}
