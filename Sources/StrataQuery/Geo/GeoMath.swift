#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

// Functions of the C library, whose module has a different name on each platform.

func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
func arcsine(_ ratio: Double) -> Double { asin(ratio) }
func arctangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

extension Double {
  var radians: Double { self * .pi / 180 }
  var degrees: Double { self * 180 / .pi }

  /// Returns the number in `printf`'s notation, for example with `"%g"`.
  func printed(_ format: String) -> String {
    withVaList([self]) { list in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        let count = Int(vsnprintf(buffer.baseAddress, buffer.count, format, list))
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
  }
}
