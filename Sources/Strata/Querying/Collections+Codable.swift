extension Encodable where Self: RealmCollection, Self.Element: Encodable {
  /// Encodes the elements as an array. A class of managed objects must implement its encoding.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension List: Encodable where Element: Encodable {}
extension MutableSet: Encodable where Element: Encodable {}
extension Results: Encodable where Element: Encodable {}
extension LinkingObjects: Encodable where Element: Encodable {}

extension List: Decodable where Element: Decodable {
  /// Decodes an array of elements as a list in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { append(try container.decode(Element.self)) }
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes an array of elements as a set in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes the entries as a dictionary. Key strategies of the encoder don't change its keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      Dictionary(map { ($0.key._text, $0.value) }) { first, _ in first })
  }
}

extension Map: Decodable where Value: Decodable {
  /// Decodes a dictionary as a map in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let entries = try decoder.singleValueContainer().decode([String: Value].self)
    for (key, value) in entries { updateValue(value, forKey: Key(_text: key)) }
  }
}
