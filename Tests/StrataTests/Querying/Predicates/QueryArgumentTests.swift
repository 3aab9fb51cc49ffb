import Foundation
import StrataQuery
import TestKit
import Testing

@testable import Strata

@Suite struct QueryArgumentTests {
  @Test(
    arguments: [
      (NSNumber(value: 1), .int(1)), (NSNumber(value: 0), .int(0)), (NSNumber(value: -3), .int(-3)),
      (NSNumber(value: true), .bool(true)), (NSNumber(value: false), .bool(false)),
      (NSNumber(value: 1.0), .double(1)), (NSNumber(value: Float(1)), .float(1)),
      (NSNumber(value: UInt64.max), .decimal("18446744073709551615")),
    ] as [(NSNumber, QueryValue)])
  func `A number in a box keeps its type`(_ number: NSNumber, _ value: QueryValue) {
    expectEqual(QueryValue(number), value)
    expectEqual(QueryOperand(argument: NSArray(array: [number])), .list([value]))
  }

  @Test func `Sequences are lists`() {
    expectEqual(QueryOperand(argument: [1, 2]), .list([.int(1), .int(2)]))
    expectEqual(QueryOperand(argument: [Int?.none, 2]), .list([.null, .int(2)]))
    expectEqual(QueryOperand(argument: 1...3), .list([.int(1), .int(2), .int(3)]))
    expectEqual(QueryOperand(argument: [1, 2].lazy.map { $0 * 2 }), .list([.int(2), .int(4)]))
    expectEqual(QueryOperand(argument: "ab"), .value(.string("ab")))
    expectEqual(QueryOperand(argument: Data([1])), .value(.data([1])))
  }

  @Test func `A sequence without an end is no list`() {
    expectEqual(
      QueryOperand(argument: 1...), .value(.unsupported(typeName: "PartialRangeFrom<Int>")))
    expectEqual(
      QueryOperand(argument: Int.min..<Int.max), .value(.unsupported(typeName: "Range<Int>")))
    guard case .list(let list) = QueryOperand(argument: 0..<1_000_000) else {
      Issue.record("A million elements are a list.")
      return
    }
    expectEqual(list.count, 1_000_000)
  }
}
