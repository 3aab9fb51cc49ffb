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
  /// Writes the entries as a dictionary.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EntryKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: EntryKey(stringValue: key._text))
    }
  }
}

extension Map: Decodable where Value: Decodable {
  /// Reads a dictionary into a map in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: EntryKey.self)
    for key in container.allKeys {
      updateValue(
        try container.decode(Value.self, forKey: key), forKey: Key(_text: key.stringValue))
    }
  }
}

/// Any text as a key.
private struct EntryKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
