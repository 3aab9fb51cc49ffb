import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Row: Object {
    @Persisted var name = ""
  }
}

private enum After {
  class Row: Object {
    @Persisted var name = ""
    @Persisted var a = 0
    @Persisted var b = 0
    @Persisted var c = 0
    @Persisted var d = 0
    @Persisted var e = 0
    @Persisted var f = 0
    @Persisted var g = 0
    @Persisted var h = 0
    @Persisted var i = 0
    @Persisted var j = 0
    @Persisted var k = 0
  }
}

@Suite struct LongPlanTests {
  @Test func `The columns of a forecast stay aligned from ten rows on`() throws {
    let folder = try TestFolder()
    try folder.open([Before.Row.self]) { _ in }
    let plan = try Realm.migrationForecast(for: folder.configuration([After.Row.self], version: 1))
    let lines = plan.description.split(separator: "\n").filter { $0.contains("column '") }
    expectEqual(lines.count, 11)
    expectEqual(lines.first, "   1  Add column 'a' to 'Row'.")
    expectEqual(lines.last, "  11  Add column 'k' to 'Row'.")
    expectTrue(plan.description.contains("\n      what "))
  }
}
