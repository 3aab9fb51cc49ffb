import TestKit
import Testing

@testable import StrataStorage

@Suite struct Decimal128VectorTests {
  @Test func `Operations have the results of other implementations`() throws {
    let vectors = try DecimalVector.all()
    expectTrue(vectors.count > 500)
    for vector in vectors {
      expectEqual(vector.computed(), vector.result, "\(vector.line)")
    }
  }

  @Test func `Numbers are their own sums, products and quotients`() throws {
    for vector in try DecimalVector.all() where vector.operation == "add" {
      for text in vector.operands {
        let number = try Decimal128(string: text)
        guard number.isFinite else { continue }
        expectTrue(number + -number == 0 && !(number + -number).isSignMinus, "\(text)")
        expectTrue(number * 1 == number && number / 1 == number, "\(text)")
        expectTrue(number.isZero || number / number == 1, "\(text)")
        expectTrue(-(-number) == number && number.magnitude >= number, "\(text)")
      }
    }
  }

  @Test func `The number of digits is known for every power of ten and of two`() {
    expectEqual(PowersOfTen.digitCount(0), 0)
    for exponent in 0...38 {
      let power = PowersOfTen[exponent]
      expectEqual(PowersOfTen.digitCount(power), exponent + 1)
      expectEqual(PowersOfTen.digitCount(power - 1), exponent)
    }
    for exponent in 0..<128 {
      let power = UInt128(1) << UInt128(exponent)
      expectEqual(PowersOfTen.digitCount(power), String(power).count)
    }
    expectEqual(PowersOfTen.digitCount(.max), 39)
  }
}
