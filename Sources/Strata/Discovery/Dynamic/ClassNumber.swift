/// A number as a type.
///
/// The runtime makes a class when a generic class gets arguments that it never had: a number that
/// no other class has makes it one of its own.
protocol ClassNumber: SendableMetatype {
  static var number: Int { get }
}

/// The numbers as they are written in binary, the last digit outside.
enum NoDigits: ClassNumber {
  static var number: Int { 0 }
}

enum DigitZero<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number }
}

enum DigitOne<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number + 1 }
}

/// The type that a number is.
func classNumber(_ number: Int) -> any ClassNumber.Type {
  func zero<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitZero<Rest>.self }
  func one<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitOne<Rest>.self }
  guard number > 0 else { return NoDigits.self }
  let rest = classNumber(number / 2)
  return number % 2 == 0 ? zero(rest) : one(rest)
}
