import Foundation

/// The classes of characters in texts. A character is replaced by another one of its class, which
/// has the same number of bytes.
struct TwinAlphabets {
  /// A class of characters.
  struct Alphabet {
    var scalars: [UInt32]
    /// The information in one character, in bits.
    var bits: Double
    /// Bytes that stand for a character of the class, and occur in no text.
    var mark: [UInt8]

    init(_ scalars: [UInt32], mark: [UInt8]) {
      self.scalars = scalars
      self.mark = mark
      bits = log2(Double(scalars.count))
    }
  }

  private(set) var all: [Alphabet]
  /// The alphabet and the position in it of each known character outside of ASCII; nil for one that
  /// stays.
  private var places: [UInt32: (alphabet: Int, digit: UInt32)?] = [:]

  static let lower = 0
  static let upper = 1
  static let digits = 2
  static let punctuation = 3

  init() {
    let punctuation = [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E].flatMap {
      $0.map { UInt32($0) }
    }
    all = [
      Alphabet(Array(0x61...0x7A), mark: [0xF8]), Alphabet(Array(0x41...0x5A), mark: [0xF9]),
      Alphabet(Array(0x30...0x39), mark: [0xFA]), Alphabet(punctuation, mark: [0xFB]),
    ]
  }

  /// Returns the alphabet of an ASCII character and its position; nil if it stays.
  ///
  /// - Parameter hasLetters: Whether the text has letters or digits. Punctuation stays then.
  func place(ofASCII byte: UInt8, hasLetters: Bool) -> (alphabet: Int, digit: UInt32)? {
    switch byte {
    case 0x61...0x7A: return (Self.lower, UInt32(byte - 0x61))
    case 0x41...0x5A: return (Self.upper, UInt32(byte - 0x41))
    case 0x30...0x39: return (Self.digits, UInt32(byte - 0x30))
    case 0x21...0x7E where !hasLetters:
      return all[Self.punctuation].scalars.firstIndex(of: UInt32(byte)).map {
        (Self.punctuation, UInt32($0))
      }
    default: return nil
    }
  }

  /// Returns the same for a character outside of ASCII.
  mutating func place(of scalar: Unicode.Scalar) -> (alphabet: Int, digit: UInt32)? {
    if let known = places[scalar.value] { return known }
    let category = scalar.properties.generalCategory
    let length = scalar.utf8.count
    let members = Self.range(of: scalar.value).filter { value in
      guard let other = Unicode.Scalar(value) else { return false }
      return other.utf8.count == length && other.properties.generalCategory == category
    }
    guard !Self.staying.contains(category), members.count > 1 else {
      for member in members { places[member] = .some(nil) }
      return nil
    }
    let first = members[0]
    let mark = [0xFC] + [16, 8, 0].map { UInt8(truncatingIfNeeded: first >> $0) }
    for (digit, member) in members.enumerated() {
      places[member] = .some((all.count, UInt32(digit)))
    }
    all.append(Alphabet(members, mark: mark))
    return places[scalar.value] ?? nil
  }

  /// Returns the characters from which the replacement is chosen: the script, or a block of 256.
  private static func range(of scalar: UInt32) -> ClosedRange<UInt32> {
    for range in scripts where range.contains(scalar) { return range }
    return scalar & ~0xFF...scalar | 0xFF
  }

  /// Cyrillic with its neighbours, Chinese, Korean, and rare Chinese characters.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x0400...0x05FF, 0x3400...0x4DFF, 0x4E00...0x9FFF, 0xAC00...0xD7FF, 0x20000...0x2A6FF,
  ]

  /// Characters that give a text its shape, or have no form.
  private static let staying: Set<Unicode.GeneralCategory> = [
    .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
    .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
    .initialPunctuation, .finalPunctuation, .otherPunctuation,
  ]
}
