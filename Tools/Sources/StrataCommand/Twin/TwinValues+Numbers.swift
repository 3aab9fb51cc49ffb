extension TwinValues {
  /// Returns an integer with the same sign, number of digits and first digit.
  ///
  /// The greatest and the least integer stay, and their neighbours keep more than one digit.
  func int(_ number: Int64) -> Int64 {
    let text = Array(String(number.magnitude).utf8)
    guard text.count > Self.maxShortLength else { return number }
    var kept = 1
    if text.count == Self.greatest.count {
      kept += zip(text, Self.greatest).prefix { $0 == $1 }.count
    }
    guard kept < text.count else { return number }
    var digits = text[kept...].map { UInt32($0 - 0x30) }
    let radices = [UInt32](repeating: 10, count: digits.count)
    replace(&digits, radices, pattern: pattern(.int, [UInt8(text.count)] + text[..<kept]))
    var magnitude: UInt64 = 0
    for byte in text[..<kept] { magnitude = magnitude * 10 + UInt64(byte - 0x30) }
    for digit in digits { magnitude = magnitude * 10 + UInt64(digit) }
    return Int64(truncatingIfNeeded: number < 0 ? 0 &- magnitude : magnitude)
  }

  private static let greatest = Array(String(Int64.max).utf8)

  /// Returns a number with the same sign, size, first digit and number of decimals. Zero and
  /// infinity stay.
  func double(_ number: Double) -> Double {
    guard number.isNormal else { return number }
    return decimal(of: number, maxDigits: 15).flatMap(Double.init) ?? bits(of: number)
  }

  /// Returns a number in the same way, which has single precision.
  func float(_ number: Float) -> Float {
    guard number.isNormal else { return number }
    return decimal(of: number, maxDigits: 6).flatMap(Float.init) ?? bits(of: number)
  }

  /// Returns the text of a `Decimal128` with the same sign, size, and numbers of digits; nil for
  /// another text.
  func decimal(_ text: [UInt8]) -> [UInt8]? {
    if ["NaN", "Infinity", "-Infinity"].contains(where: { $0.utf8.elementsEqual(text) }) {
      return text
    }
    guard let digits = NumberDigits(text, isRounded: false) else { return nil }
    return replace(digits, of: text, .decimal)
  }

  /// Returns the text of the result; nil for a number with more digits than `maxDigits`, because
  /// two texts of that length may be the same number. Both precisions have the same results.
  private func decimal<Number: BinaryFloatingPoint & CustomStringConvertible>(
    of number: Number, maxDigits: Int
  ) -> String? {
    let text = Array(number.description.utf8)
    guard let digits = NumberDigits(text, isRounded: true), digits.positions.count <= maxDigits
    else { return nil }
    return String(decoding: replace(digits, of: text, .double), as: UTF8.self)
  }

  /// Replaces all digits of a number but the first one.
  private func replace(
    _ number: NumberDigits, of text: [UInt8], _ purpose: TwinPurpose
  ) -> [UInt8] {
    guard number.positions.count > Self.maxShortLength else { return text }
    let positions = number.positions.dropFirst()
    var result = text
    var radices = [UInt32](repeating: 10, count: positions.count)
    for position in positions { result[position] = 0xFA }
    // Without the sign, so that opposite numbers stay opposite.
    let pattern = pattern(purpose, Array(result.drop { $0 == UInt8(ascii: "-") }))
    var digits = positions.map { UInt32(text[$0] - 0x30) }
    let zero = number.endsWithoutZero ? digits.count - 1 : nil
    if let zero {
      radices[zero] = 9
      digits[zero] -= 1
    }
    // The binary logarithm of 10 is 3.33 at the most.
    if Double(digits.count) * 3.33 >= Self.hashedBits {
      if isCollecting { return text }
      var numbers = numbers(purpose, Array(text.drop { $0 == UInt8(ascii: "-") }))
      for index in digits.indices { digits[index] = numbers.next(below: radices[index]) }
    } else {
      replace(&digits, radices, pattern: pattern)
    }
    if let zero { digits[zero] += 1 }
    for (position, digit) in zip(positions, digits) { result[position] = UInt8(digit) + 0x30 }
    return result
  }

  /// Replaces the last 48 bits of a number with many digits.
  private func bits(of number: Double) -> Double {
    let bits = number.magnitude.bitPattern
    var digits = (0..<6).map { UInt32(bits >> (40 - 8 * $0) & 0xFF) }
    let start = bits >> 48
    func result(_ digits: [UInt32]) -> Double {
      Double(bitPattern: digits.reduce(start) { $0 << 8 | UInt64($1) })
    }
    replace(
      &digits, [UInt32](repeating: 256, count: 6),
      pattern: pattern(.double, [UInt8(start >> 8), UInt8(start & 0xFF)])
    ) { NumberDigits.count(result($0)) > 15 }
    return number < 0 ? -result(digits) : result(digits)
  }

  /// Replaces the last 20 bits of a number with many digits.
  private func bits(of number: Float) -> Float {
    let bits = number.magnitude.bitPattern
    var digits = [bits >> 10 & 0x3FF, bits & 0x3FF]
    let start = bits >> 20
    func result(_ digits: [UInt32]) -> Float {
      Float(bitPattern: digits.reduce(start) { $0 << 10 | $1 })
    }
    replace(
      &digits, [1024, 1024], pattern: pattern(.float, [UInt8(start >> 8), UInt8(start & 0xFF)])
    ) { NumberDigits.count(result($0)) > 6 }
    return number < 0 ? -result(digits) : result(digits)
  }
}

/// The digits in the text of a number, without leading zeros.
struct NumberDigits {
  /// The positions of the bytes.
  private(set) var positions: [Int] = []
  /// Whether a zero at the end would make the number one of fewer digits.
  private(set) var endsWithoutZero = false

  /// Finds the digits; nil if the text isn't a finite number.
  ///
  /// - Parameter isRounded: Whether zeros behind the point have no meaning.
  init?(_ text: [UInt8], isRounded: Bool) {
    var index = text.first == UInt8(ascii: "-") ? 1 : 0
    var hasDigit = false
    var point: Int?
    mantissa: while index < text.count {
      switch text[index] {
      case 0x30...0x39:
        hasDigit = true
        if text[index] != 0x30 || !positions.isEmpty { positions.append(index) }
      case UInt8(ascii: ".") where point == nil && hasDigit: point = index
      default: break mantissa
      }
      index += 1
    }
    guard hasDigit, Self.isExponent(text[index...]) else { return nil }
    guard isRounded else { return }
    let hasPower = index < text.count
    while let last = positions.last, text[last] == 0x30, last > point ?? (hasPower ? -1 : last) {
      positions.removeLast()
    }
    if let last = positions.last { endsWithoutZero = hasPower || last > point ?? last }
  }

  /// Returns the number of digits of a number.
  static func count(_ number: some CustomStringConvertible) -> Int {
    NumberDigits(Array(number.description.utf8), isRounded: true)?.positions.count ?? 0
  }

  private static func isExponent(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return true }
    guard first == UInt8(ascii: "e") || first == UInt8(ascii: "E") else { return false }
    var digits = text.dropFirst()
    if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") {
      digits = digits.dropFirst()
    }
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}
