import TestKit
import Testing

@testable import StrataCommand

@Suite struct ProgressLineTests {
  private func line(_ fraction: Double, _ detail: String = "", width: Int = 80) -> String {
    ProgressLine(title: "Copying", fraction: fraction, detail: detail).text(width: width)
  }

  @Test func `The bar is as long as what is done`() {
    expectEqual(line(0), "Copying [..............................]   0%")
    expectEqual(line(0.5, "Person"), "Copying [###############...............]  50%  Person")
    expectEqual(line(1), "Copying [##############################] 100%")
  }

  @Test(arguments: [-1, 2, Double.nan, .infinity, -.infinity])
  func `A part that is none does no harm`(fraction: Double) {
    expectEqual(line(fraction).count, line(0).count)
  }

  @Test func `A line is never wider than the terminal`() {
    expectEqual(line(0.5, "日本語日本語", width: 52), "Copying [###############...............]  50%  日本")
    expectEqual(line(0.5, width: 10), "Copying [")
    expectEqual(line(0.5, width: 0), "")
  }

  @Test func `A class can't move the cursor`() {
    expectTrue(line(0, "\u{1B}[2J\n").hasSuffix("\\u{1B}[2J\\n"))
  }
}
