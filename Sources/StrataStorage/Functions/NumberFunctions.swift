import GRDBSQLite
import StrataQuery
package import StrataSchema

/// Comparisons and sums that SQLite computes differently from Realm, or not at all: of decimals, of
/// `AnyRealmValue`, and of integers that overflow.
enum NumberFunctions {
  static func add(to connection: OpaquePointer) {
    QueryFunctions.add("strata_compare", 4, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values), !arguments.isNull(0),
        !arguments.isNull(2),
        let order = ComparableValue(arguments.stored(0), typeName: arguments.text(1))
          .order(to: ComparableValue(arguments.stored(2), typeName: arguments.text(3)))
      else { return sqlite3_result_null(context) }
      context.returnStored(.integer(order))
    }
    QueryFunctions.add("strata_any_key", 2, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values), !arguments.isNull(0) else {
        return sqlite3_result_null(context)
      }
      context.returnBytes(
        AnyValueOrder.key(arguments.stored(0), typeName: arguments.text(1)))
    }
    QueryFunctions.add("strata_double", 1, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values) else { return }
      context.returnStored(.real(Double(bitPattern: UInt64(bitPattern: arguments.integer(0)))))
    }
    QueryFunctions.add("strata_bytes", 1, to: connection) { context, count, values in
      guard let context, let arguments = SQLArguments(values) else { return }
      context.returnBytes(NumberFunctions.bytes(hexadecimal: arguments.bytes(0)))
    }
    addSum(to: connection)
    addDecimal(.sum, "strata_decimal_sum", to: connection)
    addDecimal(.average, "strata_decimal_average", to: connection)
    addDecimal(.min, "strata_decimal_min", to: connection)
    addDecimal(.max, "strata_decimal_max", to: connection)
  }

  private static func bytes(hexadecimal digits: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8 { digit < 0x3A ? digit &- 0x30 : digit &- 0x57 }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      value(digits[$0]) << 4 | value(digits[$0 + 1])
    }
  }

  // MARK: Aggregates

  /// Returns the memory of an aggregate function, which is all zero at the beginning.
  private static func state<State>(_ context: OpaquePointer?, _: State.Type, make: Bool)
    -> UnsafeMutablePointer<State>?
  {
    let size = make ? Int32(MemoryLayout<State>.size) : 0
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: State.self)
  }

  /// Adds a sum of integers that wraps around at 64 bits, like Realm's; SQLite's `sum` fails.
  private static func addSum(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, "strata_sum", 1, QueryFunctions.flags, nil, nil,
      { context, count, values in
        guard let arguments = SQLArguments(values),
          let sum = NumberFunctions.state(context, Int64.self, make: true)
        else { return }
        sum.pointee &+= arguments.integer(0)
      },
      { context in
        let sum = NumberFunctions.state(context, Int64.self, make: false)?.pointee ?? 0
        context?.returnStored(.integer(sum))
      }, nil)
  }

  private final class DecimalState {
    var count = 0
    var value: Decimal128?

    func add(_ operation: QueryAggregate, _ number: Decimal128) {
      count += 1
      guard let old = value else {
        value = number
        return
      }
      switch operation {
      case .min: if number < old { value = number }
      case .max: if number > old { value = number }
      case .sum, .average, .count: value = old + number
      }
    }
  }

  private static func addDecimal(
    _ operation: QueryAggregate, _ name: String, to connection: OpaquePointer
  ) {
    let step: QueryFunctions.Implementation =
      switch operation {
      case .min: { NumberFunctions.step(.min, $0, $1, $2) }
      case .max: { NumberFunctions.step(.max, $0, $1, $2) }
      case .sum, .average, .count: { NumberFunctions.step(.sum, $0, $1, $2) }
      }
    let final: QueryFunctions.Final =
      switch operation {
      case .sum: { NumberFunctions.finish($0, empty: .text("0"), isAverage: false) }
      case .average: { NumberFunctions.finish($0, empty: .null, isAverage: true) }
      case .min, .max, .count: { NumberFunctions.finish($0, empty: .null, isAverage: false) }
      }
    sqlite3_create_function_v2(
      connection, name, 2, QueryFunctions.flags, nil, nil, step, final, nil)
  }

  private static func step(
    _ operation: QueryAggregate, _ context: OpaquePointer?, _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments = SQLArguments(values), !arguments.isNull(0),
      let number = Decimal128(arguments.stored(0), typeName: arguments.text(1)),
      let pointer = state(context, UnsafeMutableRawPointer?.self, make: true)
    else { return }
    let known = pointer.pointee.map { Unmanaged<DecimalState>.fromOpaque($0) }
    let state = known?.takeUnretainedValue() ?? DecimalState()
    if known == nil { pointer.pointee = Unmanaged.passRetained(state).toOpaque() }
    // NaN can't be compared.
    if number.isNaN, operation == .min || operation == .max { return }
    state.add(operation, number)
  }

  private static func finish(_ context: OpaquePointer?, empty: StoredValue, isAverage: Bool) {
    guard let context else { return }
    let pointer = state(context, UnsafeMutableRawPointer?.self, make: false)?.pointee
    let state = pointer.map { Unmanaged<DecimalState>.fromOpaque($0).takeRetainedValue() }
    guard let state, let value = state.value else { return context.returnStored(empty) }
    let result = isAverage ? value / Decimal128(value: state.count) : value
    context.returnStored(.text(result.exactText))
  }
}

extension Decimal128 {
  /// Creates the number that a file stores for a type; nil if the value isn't a number.
  package init?(_ value: StoredValue, typeName: String) {
    switch (PropertyType(rawValue: typeName), value) {
    case (.int?, .integer(let number)): self.init(value: number)
    case (.float?, .real(let number)), (.double?, .real(let number)): self.init(value: number)
    case (.decimal128?, .text(let text)): self.init(text)
    default: return nil
    }
  }
}
