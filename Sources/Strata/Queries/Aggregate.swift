/// An aggregate function over values in memory. Nil values count as nothing.
enum Aggregate: String {
  case min, max, sum
  case average = "avg"

  init?(_ function: String) {
    self.init(rawValue: function)
  }

  /// The result over values of a type as the file keeps them; nil when there is none.
  func of(_ values: some Sequence<StoredValue>, _ type: PropertyType) -> StoredValue? {
    let values = values.filter { $0 != .null }
    if type == .decimal128 { return of(decimals: values.compactMap { Decimal128(_stored: $0) }) }
    switch self {
    case .min: return values.min(by: Self.precedes)
    case .max: return values.max(by: Self.precedes)
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
      case .min: values.min()
      case .max: values.max()
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
    // Dates: their text sorts as they do.
    case (.text(let first), .text(let second)): SQLName.precedes(first, second)
    default: false
    }
  }
}

extension Aggregate {
  /// The result as a type; nil when there is none, or the type can't hold it.
  func of<Value: RealmCollectionValue, Result: _Scalar>(
    _ elements: some Sequence<Value>, as _: Result.Type
  ) -> Result? {
    let values = elements.compactMap { ($0 as? any _Scalar)?._stored }
    let result = of(values, Value._elementType)
    if self == .sum, case .integer(let sum)? = result,
      let integers = Result.self as? any _IntegerScalar.Type
    {
      return integers._wrapping(sum) as? Result
    }
    return result.flatMap(Result.init(_stored:))
  }

  /// The result over a property of objects in memory.
  func of(_ objects: some Sequence, property: String) -> StoredValue? {
    var values: [StoredValue] = []
    for object in objects {
      guard let value = unwrapped((object as? any KeyedValues)?.value(forKey: property)) else {
        continue
      }
      if let stored = (value as? any _Scalar)?._stored { values.append(stored) }
    }
    let isDecimal = values.contains { if case .text = $0 { true } else { false } }
    let isReal = values.contains { if case .real = $0 { true } else { false } }
    if isReal { return of(values, .double) }
    // Text is a date or a decimal, and of a date there is no sum.
    return of(values, isDecimal && (self == .sum || self == .average) ? .decimal128 : .int)
  }
}
