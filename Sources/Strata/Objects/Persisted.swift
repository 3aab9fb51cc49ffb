import StrataStorage

/// A property of a model class that is stored in the file.
///
/// ```swift
/// class Person: Object {
///   @Persisted(primaryKey: true) var id: Int      // one object per id; 0 unless set
///   @Persisted(indexed: true) var name = ""       // required, "" unless set
///   @Persisted var email: String?                 // optional
/// }
/// ```
///
/// The value is stored inside the object. Reading or writing it costs a few nanoseconds, for an
/// unmanaged object as well as for a managed one that has not changed since it was last read. A
/// managed object shows the newest committed value, and changes only inside `write`.
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline var value: Value
  @usableFromInline var slot: _PropertySlot = .outside
  @usableFromInline let attributes: PersistedAttributes

  @usableFromInline
  init(value: Value, attributes: PersistedAttributes) {
    self.value = value
    self.attributes = attributes
  }

  /// A property with a default value.
  ///
  /// The default is evaluated for each new object, and also for each object that is read from a
  /// file, where the default has no effect: leave out an expensive default such as `UUID()`.
  ///
  /// The parameter is no autoclosure, so that an initializer may set the property before it calls
  /// `super.init()`.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(
      value: _isMaterializing() ? Value._placeholder(wrappedValue) : wrappedValue,
      attributes: .hasDefault)
  }

  /// A property without a default value. New objects have 0, "", a new `UUID` or ``ObjectId``, the
  /// current `Date`, or nil for an optional.
  @inlinable
  public init() {
    self.init(value: Value._initial(), attributes: [])
  }

  /// A primary key with a default value, evaluated for each new object only.
  @inlinable
  public init(wrappedValue: @autoclosure () -> Value, primaryKey: Bool) {
    self.init(
      value: _isMaterializing() ? Value._placeholder(wrappedValue()) : wrappedValue(),
      attributes: primaryKey ? [.primaryKey, .hasDefault] : .hasDefault)
  }

  /// A primary key: `Int`, `String`, `UUID`, ``ObjectId``, or an optional of these.
  @inlinable
  public init(primaryKey: Bool) {
    self.init(value: Value._initial(), attributes: primaryKey ? .primaryKey : [])
  }

  /// A property with a default value, evaluated for each new object only, and an index.
  @inlinable
  public init(wrappedValue: @autoclosure () -> Value, indexed: Bool) {
    self.init(
      value: _isMaterializing() ? Value._placeholder(wrappedValue()) : wrappedValue(),
      attributes: indexed ? [.indexed, .hasDefault] : .hasDefault)
  }

  /// A property with an index, which makes lookups independent of the number of objects.
  ///
  /// The index of a list, a set or a map contains its values, and finds the objects whose
  /// collection has a value: `@Persisted(indexed: true) var tags: MutableSet<String>` makes `where
  /// { $0.tags.contains("new") }` fast, and takes about as much space as the collection itself. The
  /// index of a map finds the value of a key: `where { $0.scores["Ann"] == 3 }`. A collection of
  /// objects needs no index. Opening the file fails for an index on such a collection, or on a type
  /// without indexes.
  @inlinable
  public init(indexed: Bool) {
    self.init(value: Value._initial(), attributes: indexed ? .indexed : [])
  }

  /// A text with a default value, evaluated for each new object only, and a full-text index.
  ///
  /// See ``init(fullText:)``.
  @inlinable
  public init(wrappedValue: @autoclosure () -> Value, fullText: Bool) {
    self.init(
      value: _isMaterializing() ? Value._placeholder(wrappedValue()) : wrappedValue(),
      attributes: fullText ? [.fullText, .hasDefault] : .hasDefault)
  }

  /// A `String` or `String?` with a full-text index, which finds the objects whose text contains
  /// some words.
  ///
  /// ```swift
  /// @Persisted(fullText: true) var bio = ""
  /// // …
  /// realm.objects(Person.self).where { $0.bio.text("swift -java comp*") }
  /// ```
  ///
  /// The index is an FTS5 table in the file, updated by triggers, also when other programs write to
  /// the table. Adding and removing the index needs no higher schema version. Opening the file
  /// fails with the code `fail` for a property of another type, and if SQLite has no FTS5.
  @inlinable
  public init(fullText: Bool) {
    self.init(value: Value._initial(), attributes: fullText ? .fullText : [])
  }

  @available(
    *, unavailable, message: "@Persisted can only be used in a class that inherits from Object."
  )
  public var wrappedValue: Value {
    get { stopForProgrammerError("unavailable") }
    set { stopForProgrammerError("unavailable \(newValue)") }
  }

  // There is no `_modify` on purpose: no exclusive access is open while the model's own code runs.
  // Both accessors are always inlined: otherwise, a model in another module pays for key paths.
  @inlinable
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped _: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always) get {
      guard owner._state != 0 else { return owner[keyPath: storage].value }
      let slot = owner[keyPath: storage].slot
      // A separate path without a call, so that Swift doesn't retain the owner.
      if owner._isCurrent { return Value._managed(owner[keyPath: storage].value, of: owner, slot) }
      owner._willRead(slot)
      return Value._managed(owner[keyPath: storage].value, of: owner, slot)
    }
    @inline(__always) set {
      // A property that is not in the file belongs to the program alone.
      if owner._state != 0, case let slot = owner[keyPath: storage].slot, slot != .outside {
        guard owner._willWrite(slot), !Value._set(newValue, of: owner, slot) else { return }
      }
      // Released while no access is open: a `deinit` of the model may use the owner.
      let before = owner[keyPath: storage].value
      owner[keyPath: storage].value = Value._held(newValue, insteadOf: before)
      withExtendedLifetime(before) {}
    }
  }
}

/// The access to a wrapper whose value type isn't known.
protocol AnyPersisted {
  static var valueType: any Persistable.Type { get }
  var attributes: PersistedAttributes { get }
}

extension Persisted: AnyPersisted {
  static var valueType: any Persistable.Type { Value.self }
}

/// The options of a property, from the arguments of `@Persisted`.
@usableFromInline
struct PersistedAttributes: OptionSet {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable static var primaryKey: Self { Self(rawValue: 1) }
  @inlinable static var indexed: Self { Self(rawValue: 2) }
  @inlinable static var hasDefault: Self { Self(rawValue: 4) }
  @inlinable static var fullText: Self { Self(rawValue: 8) }
}

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
