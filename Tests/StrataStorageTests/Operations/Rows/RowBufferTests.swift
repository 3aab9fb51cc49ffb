import StrataSchema
import TestKit
import Testing

@testable import StrataStorage

@Suite("A buffer of rows")
struct RowBufferTests {
  @Test func `A buffer keeps each kind of value, and the last one that was set`() {
    let buffer = RowBuffer()
    let column = buffer.addColumn("c")
    let values: [StoredValue] = [
      .null, .integer(.min), .real(-0.5), .text(""), .text("é\u{0}x"), .blob([]), .blob([0, 255]),
    ]
    for value in values {
      buffer.set(column, .text("replaced"))
      buffer.set(column, value)
      expectEqual(buffer.current(column), value)
    }
    buffer.finish(1)
    expectNil(buffer.current(column))
    expectEqual(buffer.count, 1)
  }

  @Test func `A buffer tells unchanged rows from changed ones, in any order of questions`() {
    let buffer = RowBuffer()
    let column = buffer.addColumn("c")
    let rows: [Int64] = [.min, -5, 0, 3, 4, 9, .max]
    for row in rows {
      buffer.set(column, .integer, row)
      buffer.finish(row)
    }
    let questions = rows + [-6, 1, 2, 5, 8, 10]
    for first in questions {
      for second in questions {
        expectEqual(buffer.position(of: first), rows.firstIndex(of: first))
        expectEqual(buffer.position(of: second), rows.firstIndex(of: second))
      }
    }
    buffer.removeAll()
    expectTrue(questions.allSatisfy { buffer.position(of: $0) == nil })
    expectNil(buffer.range)
  }

  @Test func `A new column has no values of earlier rows`() {
    let buffer = RowBuffer()
    let first = buffer.addColumn("a")
    buffer.set(first, .integer(1))
    buffer.finish(1)
    let second = buffer.addColumn("b")
    buffer.set(second, .text("b"))
    buffer.finish(2)
    expectEqual(buffer.value(second, at: 0).kind, .unchanged)
    expectEqual(buffer.value(first, at: 1).kind, .unchanged)
    expectEqual(buffer.value(second, at: 1).kind, .text)
  }

  @Test func `A buffer is full after many rows, or much text`() {
    let buffer = RowBuffer()
    let column = buffer.addColumn("c")
    buffer.set(column, String(repeating: "x", count: 1_100_000))
    expectTrue(buffer.isFull)
    buffer.forgetCurrent()
    expectFalse(buffer.hasCurrent)
    buffer.removeAll()
    expectFalse(buffer.isFull)
    var row: Int64 = 0
    while !buffer.isFull {
      buffer.set(column, .null, 0)
      buffer.finish(row)
      row += 1
    }
    expectTrue(row > 100)
  }

  @Test func `A buffer gives what is finished to another, and continues empty`() {
    let buffer = RowBuffer()
    let other = RowBuffer()
    let first = buffer.addColumn("a")
    for round in 0..<3 {
      if round == 1 { _ = buffer.addColumn("b") }
      let row = Int64(round)
      buffer.set(first, .text("text \(round)"))
      if round == 1 { buffer.set(1, .integer(7)) }
      buffer.finish(row)
      buffer.move(to: other)
      expectTrue(buffer.count == 0 && other.count == 1)
      expectEqual(other.columns, buffer.columns)
      expectTrue(buffer.position(of: row) == nil && other.position(of: row) == 0)
      expectNil(buffer.current(first))
      let value = other.value(first, at: 0)
      expectEqual(String(decoding: other.content(of: value), as: UTF8.self), "text \(round)")
      if round > 0 { expectEqual(other.value(1, at: 0).kind, (round == 1 ? .integer : .unchanged)) }
      other.removeAll()
    }
  }
}
