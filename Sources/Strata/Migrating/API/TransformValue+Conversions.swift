// What an expression may be made into. Nil stays nil.

extension TransformValue where Value: BinaryInteger {
  /// The number as Swift writes it.
  public var text: TransformValue<String> { TransformValue<String>(.conversion(.text, expression)) }

  /// The number as an `Int`.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> {
    TransformValue<Double>(.conversion(.double, expression))
  }
}

extension TransformValue where Value: BinaryFloatingPoint {
  /// The whole part; one that is out of range ends the migration with an error.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> {
    TransformValue<Double>(.conversion(.double, expression))
  }
}

extension TransformValue where Value == Bool {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }
}

extension TransformValue where Value == String {
  /// The number that `Int(_:)` reads; nil for any other text.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value: PersistableEnum {
  /// The value that the file keeps.
  public var rawValue: TransformValue<Value.RawValue> {
    TransformValue<Value.RawValue>(expression)
  }
}

// MARK: Of values that may be nil

extension TransformValue where Value == Int? {
  /// The number as Swift writes it.
  public var text: TransformValue<String?> {
    TransformValue<String?>(.conversion(.text, expression))
  }

  /// The number as a `Double`.
  public var double: TransformValue<Double?> {
    TransformValue<Double?>(.conversion(.double, expression))
  }
}

extension TransformValue where Value == Double? {
  /// The whole part; one that is out of range ends the migration with an error.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value == Bool? {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value == String? {
  /// The number that `Int(_:)` reads; nil for any other text.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}
