extension List: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension List: Decodable where Element: Decodable {
  /// Reads an array of elements into a list in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { append(try container.decode(Element.self)) }
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Reads an array of elements into a set in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes the entries as a dictionary, whose keys no strategy changes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      Dictionary(map { ($0.key._text, $0.value) }) { first, _ in first })
  }
}

extension Map: Decodable where Value: Decodable {
  /// Reads a dictionary into a map in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let entries = try decoder.singleValueContainer().decode([String: Value].self)
    for (key, value) in entries { updateValue(value, forKey: Key(_text: key)) }
  }
}
