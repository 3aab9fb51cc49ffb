package import Foundation

extension NSNumber {
  /// Whether it was made of an integer that `Int64` has.
  package var isInteger: Bool {
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "q"), UInt8(ascii: "l"), UInt8(ascii: "i"), UInt8(ascii: "s"): true
    default: false
    }
  }
}
