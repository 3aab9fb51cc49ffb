import IssueReporting
import StrataStorage

extension ObjectBase {
  /// Makes an object and sets its properties from a dictionary, an array, or another object.
  ///
  /// A dictionary is keyed by property names. Missing properties keep their defaults, and keys
  /// without a property are ignored. An array gives values in the order of declaration, and may be
  /// shorter. Another object, of this or another class, must have each property. Linking objects
  /// are never included, because they can't be set.
  ///
  /// ```swift
  /// Person(value: ["name": "Ada", "age": 36])
  /// Person(value: ["Ada", 36])
  /// ```
  ///
  /// A value that doesn't fit is reported at once through `IssueReporting`. The object then can't
  /// be added: `write` throws the same message.
  public convenience init(value: Any) {
    self.init()
    do {
      try setValues(value)
    } catch {
      markFaulty(error)
    }
  }

  /// Sets properties from a dictionary, an array or an object.
  func setValues(_ value: Any) throws(RealmError) {
    let info = try ClassInfo.of(type(of: self))
    for (slot, value) in try info.values(from: value) {
      try setValue(value, slot: slot, info)
    }
  }

  /// Sets one property of an unmanaged object, or checks the value and passes it to the realm.
  func setValue(_ value: Any?, slot: _PropertySlot, _ info: ClassInfo) throws(RealmError) {
    let property = info.properties[slot]
    if _state != 0, !_willWrite(slot) { return }
    let base = Unmanaged.passUnretained(self).toOpaque()
    defer { withExtendedLifetime(self) {} }
    guard try info.accessors[slot].convert(base, value) else {
      throw .invalidValue(value, for: property, of: info.className)
    }
  }

  func markFaulty(_ error: RealmError) {
    reportIssue("\(error.message)")
    if _state == 0 {
      _state = ObjectState.faulty
      _context = FaultyContext(error)
    }
  }

  /// The value of a property by its name; nil for a name without a property, which is reported.
  ///
  /// A number is an `NSNumber`, as in RealmSwift, which casts to each number type that can hold it:
  /// `object["age"] as? Int`, `as? Int16`, `as? Double`. An enum is its raw value. Where speed
  /// matters, read the property itself.
  ///
  /// Setting a value that doesn't fit is an error, which `write` throws. For an unmanaged object,
  /// see ``init(value:)``.
  public subscript(key: String) -> Any? {
    get { boxedNumber(unboxedValue(key)) }
    set {
      do throws(RealmError) {
        let info = try ClassInfo.of(type(of: self))
        guard let slot = info.slot(key) else {
          throw RealmError(
            .fail,
            ErrorText.invalidPropertyName(
              key, info.className, known: info.properties.map(\.name)))
        }
        try setValue(unwrapped(newValue), slot: slot, info)
      } catch {
        if _state & ObjectState.managed != 0, let context = _context {
          context.record(error)
        } else {
          markFaulty(error)
        }
      }
    }
  }

  /// The value of `self[key]`, without boxed numbers.
  func unboxedValue(_ key: String) -> Any? {
    guard let info = ClassInfo.reporting(type(of: self)), let slot = info.slot(key) else {
      reportIssue("\(ErrorText.invalidPropertyName(key, Self.className()))")
      return nil
    }
    if _state != 0 { _willRead(slot) }
    return withExtendedLifetime(self) {
      info.accessors[slot].dynamic(Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// The value of `self[key]`: `object.value(forKey: "age") as! Int8`.
  public func value(forKey key: String) -> Any? { self[key] }

  /// Sets `self[key]`.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }
}

extension ClassInfo {
  /// The values that a dictionary, an array or an object gives for properties, by position.
  func values(from value: Any) throws(RealmError) -> [(slot: _PropertySlot, value: Any?)] {
    if let object = instance(of: ObjectBase.self, value) { return try values(of: object) }
    return try propertyValues(
      from: value, of: className, slots: slots.settable, name: { properties[$0].name })
  }

  private func values(of object: ObjectBase) throws(RealmError) -> [(
    slot: _PropertySlot, value: Any?
  )] {
    let source = try ClassInfo.of(Swift.type(of: object))
    var values: [(slot: _PropertySlot, value: Any?)] = []
    for slot in slots.settable {
      let property = properties[slot]
      guard source.slot(property.name) != nil else {
        throw .missingProperty(property.name, of: source.className, for: className)
      }
      values.append((slot, object.unboxedValue(property.name)))
    }
    return values
  }
}

/// The values that a dictionary, an array or an object of unknown class gives for properties.
///
/// - Parameter slots: The positions of the properties, in the order of an array.
@inline(__always)
func propertyValues<Slot>(
  from value: Any, of className: String, slots: [Slot], name: (Slot) -> String
) throws(RealmError) -> [(slot: Slot, value: Any?)] {
  let value = unwrapped(value)
  // The usual type. A cast to another one converts each value.
  if let value, type(of: value) == [String: Any].self, let dictionary = value as? [String: Any] {
    return slots.compactMap { slot in dictionary[name(slot)].map { (slot, unwrapped($0)) } }
  }
  switch value {
  case let dictionary as [String: Any?]:
    return slots.compactMap { slot in
      dictionary[name(slot)].map { (slot, unwrapped($0)) }
    }
  case let array as [Any?]:
    guard array.count <= slots.count else {
      throw RealmError(
        .fail,
        "Invalid array input: more values (\(array.count)) than properties (\(slots.count)).")
    }
    return zip(slots, array).map { ($0, unwrapped($1)) }
  case let source as any PropertySource:
    var values: [(slot: Slot, value: Any?)] = []
    for slot in slots {
      let name = name(slot)
      guard source.hasProperty(name) else {
        throw .missingProperty(name, of: source.sourceClassName, for: className)
      }
      values.append((slot, source.propertyValue(name)))
    }
    return values
  case nil:
    throw RealmError(.fail, "Must provide a non-nil value.")
  case let other?:
    let rest =
      "to initialize object of type '\(className)': give a dictionary, an array or an object."
    throw RealmError(
      .fail, "Invalid value '\(other)' \(rest)",
      logged: "Invalid value of type '\(Swift.type(of: other))' \(rest)")
  }
}

/// An object of unknown class with properties by name, such as a row in a migration.
protocol PropertySource {
  var sourceClassName: String { get }
  func hasProperty(_ name: String) -> Bool
  func propertyValue(_ name: String) -> Any?
}

/// Unwraps all optionals of a value: `[nil as Int?]` holds an `Any` that is nil.
func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  let type = type(of: value)
  // Most values. A cast looks for a conformance.
  if type == String.self || type == Int.self || type == Double.self { return value }
  if let optional = value as? any AnyOptional { return optional.unwrappedOnce.flatMap(unwrapped) }
  return isNull(value) ? nil : value
}

private protocol AnyOptional {
  var unwrappedOnce: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var unwrappedOnce: Any? { self.map { $0 as Any } }
}

extension ObjectBase {
  /// The class and its properties, as the program declares them. Nil for `Object` and the other
  /// base classes, and for a class whose properties can't be read, which is reported through
  /// `IssueReporting`.
  public class func sharedSchema() -> ObjectSchema? {
    let bases: [ObjectBase.Type] = [ObjectBase.self, Object.self, EmbeddedObject.self]
    guard !bases.contains(where: { $0 == self }) else { return nil }
    return ClassInfo.reporting(self)?.objectSchema
  }
}

/// The name of a property in format strings and descriptors: `"dog.name"`.
///
/// ```swift
/// people.sorted(byKeyPath: _name(for: \Person.dog?.name))
/// ```
/// A key path that computes something has no name: it is reported through `IssueReporting`, and the
/// result is "".
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = keyPathString(of: keyPath) { return name }
  reportIssue(
    "The key path '\(keyPath)' has no name: it reads no property of '\(T.className())' that is in the "
      + "file. Give one to a property with '@Persisted'.")
  return ""
}
