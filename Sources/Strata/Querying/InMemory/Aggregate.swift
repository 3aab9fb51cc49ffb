import IssueReporting
import StrataStorage

/// An aggregate function over values in memory. Nil values are skipped; `min` and `max` also skip
/// NaN.
enum Aggregate: String {
  case min, max, sum
  case average = "avg"

  func of(_ values: some Sequence<StoredValue>, _ type: PropertyType) -> StoredValue? {
    let values = values.filter { $0 != .null }
    if type == .decimal128 { return of(decimals: values.compactMap { Decimal128(_stored: $0) }) }
    switch self {
    // NaN doesn't equal itself.
    case .min: return values.filter { $0 == $0 }.min(by: Self.precedes)
    case .max: return values.filter { $0 == $0 }.max(by: Self.precedes)
    case .sum:
      if type == .int { return .integer(values.reduce(0) { $0 &+ ($1.integer ?? 0) }) }
      return .real(values.reduce(0) { $0 + (Double(_stored: $1) ?? 0) })
    case .average:
      guard !values.isEmpty else { return nil }
      return .real(values.reduce(0) { $0 + (Double(_stored: $1) ?? 0) } / Double(values.count))
    }
  }

  private func of(decimals values: [Decimal128]) -> StoredValue? {
    let result: Decimal128? =
      switch self {
      case .min: values.filter { !$0.isNaN }.min()
      case .max: values.filter { !$0.isNaN }.max()
      case .sum: values.reduce(Decimal128(), +)
      case .average:
        values.isEmpty ? nil : values.reduce(Decimal128(), +) / Decimal128(value: values.count)
      }
    return result?._stored
  }

  private static func precedes(_ first: StoredValue, _ second: StoredValue) -> Bool {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): first < second
    case (.real(let first), .real(let second)): first < second
    // Dates: their text has the same order.
    case (.text(let first), .text(let second)): SQLName.precedes(first, second)
    default: false
    }
  }
}

extension Aggregate {
  /// Returns the smallest of the elements, without nil and objects.
  static func smallest<Element: RealmCollectionValue>(
    of elements: some Sequence<Element>
  ) -> Element? {
    keyed(elements).min { $0.key < $1.key }?.element
  }

  /// Returns the greatest of the elements, without nil and objects.
  static func greatest<Element: RealmCollectionValue>(
    of elements: some Sequence<Element>
  ) -> Element? {
    keyed(elements).max { $0.key < $1.key }?.element
  }

  private static func keyed<Element: RealmCollectionValue>(
    _ elements: some Sequence<Element>
  ) -> [(key: SortKey, element: Element)] {
    elements.compactMap { element in
      guard let value = unwrapped(element._dynamicElement), !(value is ObjectBase) else {
        return nil
      }
      let key = SortKey(value)
      return key.isNaN ? nil : (key, element)
    }
  }

  /// Returns the sum of the elements; the zero of the type if the type can't represent the sum.
  static func sum<Element: RealmCollectionValue>(of elements: some Sequence<Element>) -> Element {
    let result = Aggregate.sum.result(elements)
    if Element._elementType == .any,
      !elements.contains(where: { unwrapped($0._dynamicElement) != nil })
    {
      // The sum of no values is the integer 0.
      return Element.holding(_StoredElement(.integer(0), type: PropertyType.int.rawValue))
        ?? Element._zeroElement()
    }
    if case .integer(let sum)? = result?.value,
      let integers = Element.PersistedType.self as? any _IntegerScalar.Type
    {
      let held = (integers._wrapping(sum) as? any _Scalar)?._stored ?? .null
      return Element.holding(_StoredElement(held)) ?? Element._zeroElement()
    }
    return result.flatMap { Element.holding($0) } ?? Element._zeroElement()
  }

  /// Returns the average of the elements; nil if there are no values, or the type can't represent
  /// the average.
  static func average<Element: RealmCollectionValue, Result: RealmCollectionValue>(
    of elements: some Sequence<Element>
  ) -> Result? {
    Aggregate.average.result(elements).flatMap { Result.holding($0) }
  }

  private func result<Element: RealmCollectionValue>(
    _ elements: some Sequence<Element>
  ) -> _StoredElement? {
    let values = elements.map { unwrapped($0._dynamicElement) }
    var type = Element._elementType
    var numbers = values.compactMap { ($0 as? any _Scalar)?._stored }
    if type == .any {
      // Numbers of several types are converted to a type that represents them all.
      type = .decimal128
      numbers = values.compactMap { Decimal128(anyNumber: $0)?._stored }
    }
    guard let result = of(numbers, type) else { return nil }
    return result.result(over: type)
  }
}

extension Decimal128 {
  /// Converts a number of any type; nil for other values.
  fileprivate init?(anyNumber number: Any?) {
    switch number {
    case is Bool: return nil
    case let value as Int: self.init(value: value)
    case let value as Float: self.init(value: Double(value))
    case let value as Double: self.init(value: value)
    case let value as Decimal128: self = value
    default: return nil
    }
  }
}

extension StoredValue {
  /// Returns this result of an aggregate function over values of a type, with the type that
  /// `AnyRealmValue` needs.
  func result(over type: PropertyType) -> _StoredElement {
    let own: PropertyType? =
      switch self {
      case .integer: .int
      case .real: .double
      case .text: type == .date ? .date : .decimal128
      default: nil
      }
    return _StoredElement(self, type: own?.rawValue)
  }
}

extension RealmCollectionValue {
  /// Converts the result of an aggregate function to this type. Truncates to an integer if
  /// necessary. Returns nil if this type can't represent the result.
  static func holding(_ result: _StoredElement) -> Self? {
    guard result.value != .null else { return nil }
    let rows = EmptyRows()
    func value(_ stored: _StoredElement) -> Self? { _element(_ReadElement(stored), in: rows) }
    if let value = value(result) { return value }
    switch result.value {
    case .real(let number):
      return Int64(exactly: number.rounded(.towardZero)).flatMap {
        value(_StoredElement(.integer($0)))
      }
    case .text(let text):
      // A decimal, where a number of another type is requested.
      guard let number = Double(text), _elementType != .decimal128 else { return nil }
      return value(_StoredElement(.real(number)))
        ?? holding(_StoredElement(.real(number)))
    default:
      return nil
    }
  }
}

extension Aggregate {
  /// Returns the result over a property of objects in memory. A property of an unsuitable type is
  /// reported, and the result is nil.
  func of<Element: RealmCollectionValue>(_ objects: [Element], property: String) -> _StoredElement?
  {
    if let info = Element._elementClass.flatMap({ ClassInfo.reporting($0) }),
      let slot = info.slot(property), !takes(info.properties[slot])
    {
      reportMisuse(on: info.properties[slot], of: info.className)
      return nil
    }
    var values: [StoredValue] = []
    var type: PropertyType?
    for object in objects {
      guard let value = unwrapped((object as? any KeyedValues)?.unboxedValue(property)) else {
        continue
      }
      guard let scalar = value as? any _Scalar, let stored = scalar._stored else { continue }
      values.append(stored)
      type = Swift.type(of: scalar)._propertyType
    }
    guard let type else { return nil }
    return of(values, type)?.result(over: type)
  }

  /// Returns whether the function supports a property: numbers, and for `min` and `max` also dates.
  func takes(_ property: Property) -> Bool {
    guard property.collection == nil else { return false }
    return switch property.type {
    case .int, .float, .double, .decimal128: true
    case .date: self == .min || self == .max
    default: false
    }
  }

  func reportMisuse(on property: Property, of className: String) {
    reportIssue(
      "Cannot use '\(rawValue)' on '\(className).\(property.name)': it is of type '\(property.typeName)'."
    )
  }
}
