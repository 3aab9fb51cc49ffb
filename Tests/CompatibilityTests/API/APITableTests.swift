import Foundation
import TestKit
import Testing

/// The table in README.md that says of each declaration of RealmSwift whether it exists here.
@Suite struct APITableTests {
  private struct Row: Hashable {
    var name: APIUses.Name
    var state: String
  }

  private static func text(_ path: String) throws -> String {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: here.appendingPathComponent(path), encoding: .utf8)
  }

  private static func table() throws -> String { try text("README.md") }

  private static func rows() throws -> [Row] {
    var rows: [Row] = []
    var heading = ""
    for line in try table().split(separator: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      guard let cells = line.wholeMatch(of: /\| `(.+?)` \| (there|other types|not) \|(.*)\|/)
      else { continue }
      rows.append(
        Row(
          name: APIUses.Name(heading: heading, declaration: String(cells.1)),
          state: String(cells.2)))
      let needsReason = cells.2 != "there"
      expectTrue(!needsReason || !cells.3.allSatisfy(\.isWhitespace), "\(line) lacks its reason.")
    }
    return rows
  }

  @Test func `Each declaration that is there has a compiled use, and the others have none`() throws
  {
    let rows = try Self.rows()
    let there = rows.filter { $0.state != "not" }.map(\.name)
    let used = APIUses().names
    expectEqual(Set(there).subtracting(used), [], "They are in the table and have no use.")
    expectEqual(Set(used).subtracting(there), [], "They have a use and are not in the table.")
    expectEqual(Set(rows.map(\.name)).count, rows.count, "A declaration is in the table twice.")
    expectEqual(Set(used).count, used.count, "A declaration has two uses.")
  }

  @Test func `The counts above the table are those of its rows`() throws {
    let rows = try Self.rows()
    let text = try Self.table()
    for state in ["there", "other types", "not"] {
      let count = rows.count { $0.state == state }
      expectTrue(count > 0)
      expectTrue(text.contains("\n| \(state) | \(count) |\n"), "\(state): \(count)")
    }
    expectTrue(text.contains("\n| in all | \(rows.count) |\n"), "\(rows.count)")
    let local = rows.filter { $0.name.heading != "SwiftUI" }
    let there = local.count { $0.state != "not" }
    let share = (Double(there) / Double(local.count) * 1000).rounded() / 10
    let sentence =
      "Of the \(local.count) declarations that are not for SwiftUI, \(there) are there: \(share) %."
    expectTrue(text.contains(sentence), "\(sentence)")
    let short = "\(there) are there: \(share) %."
    try expectTrue(Self.text("../../../docs/coming-from-realm.md").contains(short), "\(short)")
  }
}
