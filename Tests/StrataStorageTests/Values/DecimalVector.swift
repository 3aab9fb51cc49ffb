import Foundation
import Testing

@testable import StrataStorage

/// A line of a file of cases: an operation, its operands, and what it results in.
struct DecimalVector {
  var line: Substring
  var operation: String
  var operands: [String]
  var result: String

  /// The cases of the file beside the script that made it.
  static func all() throws -> [DecimalVector] {
    let tests = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try read(tests.appendingPathComponent("DecimalVectors/vectors.txt"))
  }

  static func read(_ file: URL) throws -> [DecimalVector] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let isText = fields[0] == "parse"
      return DecimalVector(
        line: line, operation: fields[0],
        operands: Array(fields[1..<(isText ? 2 : fields.count - 1)]),
        result: fields[(isText ? 2 : fields.count - 1)...].joined(separator: "|"))
    }
  }

  /// The result of the operation as written in the file; nil for invalid operands.
  func computed() -> String? {
    if operation == "parse" {
      guard let number = Decimal128.parse(operands[0]) else { return "invalid|exact" }
      return "\(number.value.exactText)|\(number.isExact ? "exact" : "rounded")"
    }
    let numbers = operands.compactMap { Decimal128($0) }
    guard numbers.count == operands.count, let left = numbers.first, let right = numbers.last else {
      return nil
    }
    return switch operation {
    case "add": (left + right).exactText
    case "subtract": (left - right).exactText
    case "multiply": (left * right).exactText
    case "divide": (left / right).exactText
    case "compare": Self.order(left, right)
    case "comparetotal": Self.totalOrder(left, right)
    case "min": Decimal128.minimum(left, right).exactText
    case "max": Decimal128.maximum(left, right).exactText
    case "copynegate": (-left).exactText
    case "copyabs": left.magnitude.exactText
    case "double": Double(result) == left.doubleValue ? result : "\(left.doubleValue)"
    default: nil
    }
  }

  /// The order as each of the operators and the hashes see it; a contradiction is named.
  private static func order(_ left: Decimal128, _ right: Decimal128) -> String {
    let operators = [left == right, left != right, left < right, left <= right, left > right]
    switch (operators, left >= right) {
    case ([true, false, false, true, false], true):
      return left.hashValue == right.hashValue ? "0" : "unequal hashes"
    case ([false, true, true, true, false], false): return "-1"
    case ([false, true, false, false, true], true): return "1"
    case ([false, true, false, false, false], false): return "NaN"
    default: return "contradiction"
    }
  }

  private static func totalOrder(_ left: Decimal128, _ right: Decimal128) -> String {
    switch (
      left.isTotallyOrdered(belowOrEqualTo: right), right.isTotallyOrdered(belowOrEqualTo: left)
    ) {
    case (true, true): "0"
    case (true, false): "-1"
    case (false, true): "1"
    case (false, false): "contradiction"
    }
  }
}
