import Foundation
import Strata

/// Everything that is measured, in one run.
struct Suite {
  let rows: Int
  let passes: Int
  private let folder: URL

  init(rows: Int, passes: Int) throws {
    self.rows = rows
    self.passes = passes
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func run() throws {
    defer { removeFolder() }
    let base = folder.appendingPathComponent("base.sqlite")
    let small = folder.appendingPathComponent("small.sqlite")
    print(
      "\(rows) rows, \(passes) passes; medians, with the smallest and the greatest in seconds\n")
    print("create: \(format(try seconds { try Cases.create(base, rows: rows) })) s (once)")
    try Cases.create(small, rows: max(1, rows / 1_000))

    try compare(
      "open and read one", base, Cases.open, "GRDB", Cases.openWithGRDB, limit: 2, copies: false)
    try compare(
      "combine two strings", base, Cases.combine, "GRDB loop", Cases.combineWithGRDB, limit: 1)
    try compare(
      "add an optional property", base, { try Cases.migrate($0, Models.Added.Person.self) },
      "1/1000 of the rows", { _ in }, small: small, limit: 2)
    try compare(
      "rename a property", base, rename, "1/1000 of the rows", { _ in }, small: small, limit: 2)
    try memory("combine")
    try memory("iterate")
  }

  private func removeFolder() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("\(folder.path) can't be removed: \(error.localizedDescription)")
    }
  }

  private func rename(_ file: URL) throws {
    try Cases.migrate(file, Models.Renamed.Person.self) { migration, _ in
      migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth")
    }
  }

  /// Measures two ways by turns. With a small file the other way is the same on that file.
  private func compare(
    _ name: String, _ base: URL, _ ours: (URL) throws -> Void, _ otherName: String,
    _ other: (URL) throws -> Void, small: URL? = nil, limit: Double, copies: Bool = true
  ) throws {
    let file = folder.appendingPathComponent("work.sqlite")
    var first = Samples()
    var second = Samples()
    for _ in 0..<passes {
      if copies { try copy(base, to: file) }
      first.add(try seconds { try ours(copies ? file : base) })
      if copies { try copy(small ?? base, to: file) }
      second.add(try seconds { try (small == nil ? other : ours)(copies ? file : base) })
    }
    let ratios = zip(first.values, second.values).map { $0 / $1 }.sorted()
    let ratio = ratios[ratios.count / 2]
    print(
      """
      \(name): \(format(first.median)) s [\(first.spread)], \(otherName) \(format(second.median)) s \
      [\(second.spread)]; ratio \(format(ratio)) [\(format(ratios[0]))…\(format(ratios[ratios.count - 1]))] \
      (wanted: at most \(format(limit)))\(ratio > limit ? "  <-- MISSED" : "")
      """)
  }

  private func memory(_ mode: String) throws {
    let tenth = folder.appendingPathComponent("tenth.sqlite")
    let file = folder.appendingPathComponent("memory.sqlite")
    if !FileManager.default.fileExists(atPath: tenth.path) {
      try Cases.create(tenth, rows: max(1, rows / 10))
    }
    try copy(tenth, to: file)
    let few = try MemoryProbe.measure(file: file, mode: mode)
    try copy(folder.appendingPathComponent("base.sqlite"), to: file)
    let many = try MemoryProbe.measure(file: file, mode: mode)
    print(
      "memory, \(mode): \(format(few)) MB for \(rows / 10) rows, \(format(many)) MB for \(rows) rows "
        + "(wanted: less than 20 MB more)\(many - few >= 20 ? "  <-- MISSED" : "")")
  }
}
