import Foundation
import Synchronization

/// The suite that counts the instructions of each case, and compares them with a table in Markdown.
///
/// Unlike times, the counts don't depend on the load of the machine: a few per cent are
/// significant. They include neither system calls nor the cost of memory accesses.
struct InstructionSuite {
  static let argument = "--instructions"

  /// The maximum ratio to the table.
  private static let maxRatio = 1.05

  private let table: URL
  private let isUpdating: Bool

  /// - Parameter arguments: The path of the table, and `--update` to rewrite it.
  init(_ arguments: [String]) throws {
    guard let path = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "--update" }) else {
      throw Unexpected(
        "\(Self.argument) needs the path of a table, optionally followed by --update")
    }
    table = URL(fileURLWithPath: path)
    isUpdating = arguments.count > 1
  }

  func run() throws {
    let counts = try count()
    if isUpdating { return try write(counts) }
    let known = try InstructionTable(String(contentsOf: table, encoding: .utf8))
    var problems: [String] = []
    for (number, item) in InstructionCase.all.enumerated() {
      guard let expected = known.counts[item.title] else {
        problems.append("\(item.title): the table doesn't have it")
        continue
      }
      var count = counts[number]
      // The threads of a process wait for each other more often in some runs: count again.
      if Double(count) > Self.maxRatio * Double(expected) {
        count = min(count, try Self.count(number))
      }
      let ratio = Double(count) / Double(expected)
      print("\(item.title): \(count), \(String(format: "%.3f", ratio)) of the table")
      if ratio > Self.maxRatio {
        problems.append("\(item.title): \(count) instructions instead of \(expected)")
      }
    }
    guard !problems.isEmpty else { return }
    problems.append(
      "If the new counts are intended, update the table: make instructions UPDATE=--update")
    throw Unexpected(problems.joined(separator: "\n"))
  }

  /// The counts; two cases run at a time.
  private func count() throws -> [Int] {
    let next = Atomic<Int>(0)
    let results = Mutex<[Int: Result<Int, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < InstructionCase.all.count else { return }
        let result = Result { try Self.count(number) }
        results.withLock { $0[number] = result }
      }
    }
    let counted = results.withLock { $0 }
    return try InstructionCase.all.indices.map { number in
      guard let result = counted[number] else { throw Unexpected("case \(number) wasn't counted") }
      return try result.get()
    }
  }

  private static func count(_ number: Int) throws -> Int {
    let workspace = try Workspace()
    defer { workspace.remove() }
    return try InstructionProbe.count(number, workspace)
  }

  private func write(_ counts: [Int]) throws {
    let old = try String(contentsOf: table, encoding: .utf8)
    let rows = zip(InstructionCase.all, counts).map { InstructionTable.row($0.title, $1) }
    try InstructionTable.replaced(in: old, by: rows)
      .write(to: table, atomically: true, encoding: .utf8)
  }
}

/// A table of operations and their instructions, in a page.
struct InstructionTable {
  private(set) var counts: [String: Int] = [:]

  private static let heading = "| operation | instructions |"

  init(_ page: String) throws {
    for line in Self.rows(of: page) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, let count = Int(cells[1].filter { $0 != "," }) else {
        throw Unexpected("this is no row of the table of instructions: \(line)")
      }
      counts[cells[0]] = count
    }
    guard !counts.isEmpty else { throw Unexpected("the page has no table '\(Self.heading)'") }
  }

  static func row(_ title: String, _ count: Int) -> String {
    "| \(title) | \(count.formatted(.number.locale(Locale(identifier: "en_US")))) |"
  }

  /// Replaces the rows of the table in a page.
  static func replaced(in page: String, by rows: [String]) throws -> String {
    let lines = page.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: heading), start + 1 < lines.count else {
      throw Unexpected("the page has no table '\(heading)'")
    }
    let end = lines[(start + 2)...].firstIndex { !$0.hasPrefix("|") } ?? lines.count
    return (lines[...(start + 1)] + rows + lines[end...]).joined(separator: "\n")
  }

  private static func rows(of page: String) -> ArraySlice<String> {
    let lines = page.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: heading) else { return [] }
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }
  }
}
