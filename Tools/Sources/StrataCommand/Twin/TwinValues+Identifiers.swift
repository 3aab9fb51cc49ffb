import Foundation
import StrataSchema
import StrataStorage
import StrataStudio

extension TwinValues {
  /// Returns the text of a date, moved by the distance of the twin; nil for another text.
  ///
  /// The format of the text and its fraction of a second stay. Placeholder dates also stay, because
  /// moving them would reveal the distance: 1970, 2001, and the limits of `Date`.
  func date(_ text: [UInt8]) -> [UInt8]? {
    guard Self.decode(text[...]) != nil else { return nil }
    if Self.constants.contains(where: text.starts) { return text }
    // The text ends with the second (or its fraction), the minute or the day.
    let length = text.count >= 19 ? 19 : text.count >= 16 ? 16 : 10
    guard let date = Self.decode(text[..<length]) else { return nil }
    let moved = date.addingTimeInterval(-Double(dateDistance))
    let range = Double(DateText.endSecond) - Self.firstSecond
    guard let encoded = DateText.encode(moved) ?? DateText.encode(moved.addingTimeInterval(range))
    else { return nil }
    var result = Array(encoded.utf8.prefix(length)) + text[length...]
    if length > 10 { result[10] = text[10] }
    return result
  }

  private static let constants = [
    "1970-01-01 00:00:00", "2001-01-01 00:00:00", "0000-12-30 00:00:00", "4001-01-01 00:00:00",
  ].map { Array($0.utf8) }

  /// The first second of the year 0, since 2001.
  private static let firstSecond = -730_851.0 * 86_400

  private static func decode(_ text: ArraySlice<UInt8>) -> Date? {
    text.withUnsafeBufferPointer { DateText.decode($0) }
  }

  /// Returns the text of a `UUID` of the same version; nil for another text. Zero stays.
  func uuid(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 36, Self.hyphens.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else {
      return nil
    }
    let positions = text.indices.filter { !Self.hyphens.contains($0) }
    guard var digits = Self.hexDigits(text, positions) else { return nil }
    guard digits.contains(where: { $0 != 0 }), !isCollecting else { return text }
    var numbers = numbers(.uuid, digits)
    let (version, variant) = (digits[12], digits[16])
    for index in digits.indices { digits[index] = UInt8(numbers.next(below: 16)) }
    digits[12] = version
    digits[16] = variant & 0b1100 | digits[16] & 0b0011
    return Self.text(digits, at: positions, of: text)
  }

  private static let hyphens = [8, 13, 18, 23]

  /// Returns the text of an `ObjectId`, whose time moves as dates do; nil for another text. Zero
  /// stays.
  func objectId(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 24, let digits = Self.hexDigits(text, Array(text.indices)) else {
      return nil
    }
    guard digits.contains(where: { $0 != 0 }), !isCollecting else { return text }
    let time = digits[..<8].reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
    let moved = time &- UInt32(truncatingIfNeeded: dateDistance)
    var numbers = numbers(.objectId, digits)
    let result =
      (0..<8).map { UInt8(moved >> (28 - 4 * $0) & 0xF) }
      + (0..<16).map { _ in UInt8(numbers.next(below: 16)) }
    return Self.text(result, at: Array(text.indices), of: text)
  }

  /// Returns the text of an identifier in a property of texts; nil for another text.
  func id(inText text: [UInt8]) -> [UInt8]? {
    switch text.count {
    case 36: return uuid(text)
    case 24:
      // A text of digits alone may be a long number.
      let isMixed = text.contains { $0 < 0x3A } && text.contains { $0 >= 0x61 }
      return isMixed && text.allSatisfy { !(0x41...0x5A).contains($0) } ? objectId(text) : nil
    default: return nil
    }
  }

  /// Returns the values of hexadecimal digits; nil if one is something else.
  private static func hexDigits(_ text: [UInt8], _ positions: [Int]) -> [UInt8]? {
    let digits = positions.compactMap { hexValue(text[$0]) }
    return digits.count == positions.count ? digits : nil
  }

  /// Writes digits in the case of the text that they replace.
  private static func text(
    _ digits: [UInt8], at positions: [Int], of text: [UInt8]
  ) -> [UInt8] {
    let letters: UInt8 = text.contains { (0x41...0x46).contains($0) } ? 0x41 : 0x61
    var result = text
    for (position, digit) in zip(positions, digits) {
      result[position] = digit < 10 ? 0x30 + digit : letters + digit - 10
    }
    return result
  }
}
