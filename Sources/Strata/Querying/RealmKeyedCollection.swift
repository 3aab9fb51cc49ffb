/// A collection of values by keys: ``Map``.
public protocol RealmKeyedCollection<Key, Value>: Sequence, ThreadConfined,
  CustomStringConvertible
where Element == (key: Key, value: Value) {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of keys.
  var count: Int { get }

  /// The keys, in order.
  var keys: [Key] { get }

  /// The values, in the order of their keys.
  var values: [Value] { get }

  /// The value of a key, or nil. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value of a key.
  func updateValue(_ value: Value, forKey key: Key)

  /// Removes a key, if present.
  func removeObject(for key: Key)

  /// Removes all keys.
  func removeAll()

  /// Returns the value of a key, as dynamic access shows it, or nil.
  func value(forKey key: String) -> Any?

  /// Sets the value of a key. Nil removes the key.
  func setValue(_ value: Any?, forKey key: String)
}

extension Map: RealmKeyedCollection {}

extension Map {
  /// Returns the value of a key, or nil, like `self[key]`.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Returns the value at a key path whose first name is a key: `"boss.name"`.
  ///
  /// `@count` is the number of keys. Other operators, such as `@max.age`, apply to the values, in
  /// the order of their keys.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  func unboxedValue(atPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") { return values.computed(keyPath) }
    let (key, rest) = firstName(of: keyPath)
    let value = unboxedValue(key)
    guard let rest else { return value }
    return (value as? any KeyValueReading)?.unboxedValue(atPath: rest)
  }
}

extension Map: KeyValueReading {}
