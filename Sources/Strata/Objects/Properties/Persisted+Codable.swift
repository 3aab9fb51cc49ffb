/// Models conform to `Codable` without further code, as long as an object is unmanaged.
///
/// ```swift
/// class Dog: Object, Codable {
///   @Persisted var name = ""
///   @Persisted var age: Int?
/// }
/// let dogs = try JSONDecoder().decode([Dog].self, from: data)
/// ```
///
/// Each property must be present, except optional ones. The encoder's or decoder's strategies for
/// dates, data and keys apply to properties as to any other value.
extension Persisted: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    // Decoded by the container rather than by `Value(from:)`: only the container knows the
    // strategies.
    self.init(value: try decoder.singleValueContainer().decode(Value.self), attributes: [])
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of an unmanaged object.
  ///
  /// - Throws: `EncodingError` for a managed object: its class must implement `encode(to:)` itself.
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
  /// Decodes a property, which is nil if its key is missing.
  public func decode<Value: Decodable & ExpressibleByNilLiteral>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(value: nil, attributes: [])
  }
}
