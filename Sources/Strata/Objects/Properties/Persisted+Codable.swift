/// Models that adopt `Codable` need no more than its name, as long as an object is in no realm.
///
/// ```swift
/// class Dog: Object, Codable {
///   @Persisted var name = ""
///   @Persisted var age: Int?
/// }
/// let dogs = try JSONDecoder().decode([Dog].self, from: data)
/// ```
///
/// Each property must be there; those that are optional may be left out. The strategies of the
/// encoder or decoder for dates, data and keys hold for properties as for those of any other type.
extension Persisted: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    // By its container, not with `Value(from:)`: it is the container that knows the strategies.
    self.init(value: try decoder.singleValueContainer().decode(Value.self), attributes: [])
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Writes the value of an object that is in no realm.
  ///
  /// - Throws: `EncodingError` for an object in a realm: its class must write `encode(to:)` itself.
  public func encode(to encoder: any Encoder) throws {
    guard slot == .outside else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only unmanaged objects encode themselves. Implement "
            + "'encode(to:)' in the class to encode managed ones."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension KeyedDecodingContainer {
  /// Reads a property that is nil when its key is missing.
  public func decode<Value: Decodable & ExpressibleByNilLiteral>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(value: nil, attributes: [])
  }
}
