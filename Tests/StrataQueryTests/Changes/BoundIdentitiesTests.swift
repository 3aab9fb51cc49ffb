import StrataQuery
import StrataSchema
import TestKit
import Testing

struct BoundIdentitiesTests {
  @Test func `One row is compared`() {
    let one = BoundIdentities([-7])
    expectEqual(one.condition(at: 3), "= ?3")
    expectEqual(one.parameter, .integer(-7))
  }

  @Test(arguments: [[], [1, 2], [.min, 0, .max]] as [[Int64]])
  func `Other numbers of rows have one text, and one parameter`(rows: [Int64]) {
    let several = BoundIdentities(rows)
    expectEqual(several.condition(at: 1), "IN (SELECT value FROM json_each(?1))")
    let list = rows.map { "\($0)" }.joined(separator: ",")
    expectEqual(several.parameter, .text("[\(list)]"))
  }
}
