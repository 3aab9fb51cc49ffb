import TestKit
import Testing

@testable import StrataStorage

@Suite struct RowSequenceTests {
  private func sequence(_ rows: some Sequence<Int64>) -> RowSequence {
    var sequence = RowSequence()
    for row in rows { sequence.append(row) }
    return sequence
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 12_288, 20_000])
  func `Rows that follow each other are found by position, and positions by row`(count: Int) {
    let rows = (0..<Int64(count)).map { $0 + 17 }
    let sequence = sequence(rows)
    expectEqual(sequence.count, count)
    expectEqual(sequence[0..<count], rows)
    expectNil(sequence.firstIndex(of: 16))
    expectNil(sequence.firstIndex(of: Int64(count) + 17))
    for position in stride(from: 0, to: count, by: 511) {
      expectEqual(sequence[position], rows[position])
      expectEqual(sequence.firstIndex(of: rows[position]), position)
    }
  }

  @Test(arguments: [1, 4095, 4096, 4097, 20_000])
  func `A range is the same as its rows`(count: Int) {
    for first: Int64 in [-9, 1, .max - Int64(count)] {
      let range = first...first + Int64(count) - 1
      let made = RowSequence(range)
      expectEqual(made.count, count)
      expectEqual(made[0..<count], Array(range))
      expectEqual(made.firstIndex(of: range.upperBound), count - 1)
      expectNil(made.firstIndex(of: range.lowerBound - 1))
    }
  }

  @Test func `Rows in any order keep it`() {
    var numbers = SplitMix64(seed: 5)
    let rows = (0..<20_000).map { _ in Int64.random(in: .min ... .max, using: &numbers) }
    let sequence = sequence(rows)
    expectEqual(sequence[0..<rows.count], rows)
    for position in stride(from: 0, to: rows.count, by: 997) {
      expectEqual(sequence.firstIndex(of: rows[position]), position)
    }
  }

  @Test func `Only rows without a gap are taken for such`() {
    // The ends are as far apart as if none was missing.
    var rows = Array(Int64(0)..<8192)
    rows.swapAt(10, 11)
    rows[5000] = 4999
    let sequence = sequence(rows)
    expectEqual(sequence[0..<rows.count], rows)
    expectEqual(sequence.firstIndex(of: 11), 10)
    expectNil(sequence.firstIndex(of: 5000))
  }

  @Test func `The greatest and the smallest identities are rows like others`() {
    let rows = Array(Int64.max - 4095...Int64.max) + Array(Int64.min...Int64.min + 4095)
    let sequence = sequence(rows)
    expectEqual(sequence[0..<rows.count], rows)
    expectEqual(sequence.firstIndex(of: .max), 4095)
    expectEqual(sequence.firstIndex(of: .min), 4096)
    expectNil(sequence.firstIndex(of: 0))
  }

  @Test func `Positions that there are not give nothing`() {
    let sequence = sequence(0..<10)
    expectEqual(sequence[8..<20], [8, 9])
    expectEqual(sequence[20..<30], [])
  }
}
