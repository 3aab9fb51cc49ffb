import IssueReporting
import StrataStorage

extension RealmCollection {
  /// Returns the value at a key path for each element (`"name"`, `"dog.name"`), or the result of an
  /// operator over these values.
  ///
  /// ```swift
  /// person.dogs.value(forKeyPath: "@avg.age") as! Double
  /// ```
  /// The operators are `@count`, `@min`, `@max`, `@sum`, `@avg`, `@unionOfObjects` and
  /// `@distinctUnionOfObjects`, which skip nil. `self` is the element: `"@max.self"`. Sums of
  /// integers are `Int`; averages are `Double`; both are `Decimal128` if a value is one. An unknown
  /// name is reported through `IssueReporting`, and its value is nil.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  func unboxedValue(atPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") { return Array(self).computed(keyPath) }
    return map { $0.value(atPath: keyPath) }
  }
}

extension RealmCollection {
  /// Returns the value of a property for each object, like `object.value(forKey: key)`. With the
  /// key `self`, returns the elements; values are as access by name shows them, for example an enum
  /// as its raw value.
  ///
  /// Any other key of elements that aren't objects is reported through `IssueReporting`, and its
  /// value is nil.
  public func value(forKey key: String) -> [Any?] {
    guard key != "self" else { return map { boxedNumber($0.valueByName) } }
    return map { element in
      boxedNumbers(
        (element as? ObjectBase).map { $0.unboxedValue(key) } ?? element.value(atPath: key))
    }
  }
}

extension MutableSet {
  /// Returns the distinct values of a property of the objects. With the key `self`, returns the
  /// elements; values are as access by name shows them.
  public func value(forKey key: String) -> [Any?] {
    guard key != "self" else { return AnyRealmCollection(self).value(forKey: key) }
    var seen: Set<AnyHashable?> = []
    return AnyRealmCollection(self).value(forKey: key).filter { value in
      guard let value = unwrapped(value) else { return seen.insert(nil).inserted }
      return identity(of: value).map { seen.insert($0).inserted } ?? true
    }
  }
}

/// The identity of a value among distinct ones: texts are compared by their bytes, as in a file.
private func identity(of value: Any) -> AnyHashable? {
  (value as? String).map { AnyHashable(StoredText($0)) } ?? value as? AnyHashable
}

extension RealmCollection where Element: ObjectBase {
  /// Sets the property at a key path of each object.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    for object in Array(self) { object.setValue(value, forKeyPath: keyPath) }
  }
}

extension List: KeyValueReading {}
extension MutableSet: KeyValueReading {}
extension Results: KeyValueReading {}
extension LinkingObjects: KeyValueReading {}
extension List: KeyValueWriting where Element: ObjectBase {}
extension MutableSet: KeyValueWriting where Element: ObjectBase {}
extension LinkingObjects: KeyValueWriting {}

extension RealmCollectionValue {
  /// The element as access by name shows it. An object, or a projection of an object, is returned
  /// unchanged.
  fileprivate var valueByName: Any? {
    Self._elementClass == nil || Self.isStoredAsObject
      ? unwrapped(_dynamicElement) : unwrapped(self)
  }

  fileprivate func value(atPath keyPath: String) -> Any? {
    if keyPath == "self" { return valueByName }
    if let object = unwrapped(_dynamicElement) as? any KeyValueReading {
      return object.unboxedValue(atPath: keyPath)
    }
    if unwrapped(_dynamicElement) != nil {
      reportIssue(
        "The key path '\(keyPath)' leads nowhere: the elements are values of type '\(Self.self)'. "
          + "Use 'self' for the value.")
    }
    return nil
  }
}

extension Array where Element: RealmCollectionValue {
  /// Returns the result of an operator, such as `@max.age`, over the elements.
  func computed(_ keyPath: String) -> Any? {
    let (name, rest) = firstName(of: keyPath)
    if name == "@count" { return count }
    guard let rest, let function = KeyPathOperator(rawValue: name) else {
      let known = KeyPathOperator.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      reportIssue(
        "The operator of '\(keyPath)' is unknown, or has no property. Use '@count', or one of "
          + "\(known), followed by a point and the name of a property.")
      return nil
    }
    return function.result(compactMap { unwrapped($0.value(atPath: rest)) })
  }
}

/// An operator over the values at a key path.
private enum KeyPathOperator: String, CaseIterable {
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
  case union = "@unionOfObjects"
  case distinctUnion = "@distinctUnionOfObjects"

  func result(_ values: [Any]) -> Any? {
    switch self {
    case .min: ordered(values).min { $0.key < $1.key }?.value
    case .max: ordered(values).max { $0.key < $1.key }?.value
    case .sum: sum(values)
    case .average: average(values)
    case .union: values
    case .distinctUnion: distinct(values)
    }
  }

  private func ordered(_ values: [Any]) -> [(key: SortKey, value: Any)] {
    values.map { (SortKey($0), $0) }.filter { !$0.key.isNaN }
  }

  private func sum(_ values: [Any]) -> Any {
    let integers = values.compactMap { Int._convert($0) }
    if integers.count == values.count { return integers.reduce(0, &+) }
    if let decimals = decimals(values) { return decimals.reduce(Decimal128(), +) }
    return values.compactMap { Double._convert($0) }.reduce(0, +)
  }

  private func average(_ values: [Any]) -> Any? {
    if let decimals = decimals(values) {
      return decimals.reduce(Decimal128(), +) / Decimal128(value: decimals.count)
    }
    let numbers = values.compactMap { Double._convert($0) }
    return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  /// Returns the values as decimal numbers, if at least one of them is a `Decimal128`.
  private func decimals(_ values: [Any]) -> [Decimal128]? {
    guard values.contains(where: { $0 is Decimal128 }) else { return nil }
    return values.compactMap { Decimal128._convert($0) }
  }

  private func distinct(_ values: [Any]) -> [Any] {
    var known: Set<AnyHashable> = []
    return values.filter { value in
      guard let value = identity(of: value) else { return true }
      return known.insert(value).inserted
    }
  }
}
