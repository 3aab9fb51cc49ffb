extension Results: Encodable where Element: Encodable {
  /// Writes the elements as an array; the class of objects must say how one in a realm is encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
