import Foundation

extension Case {
  /// All cases, in the order in which they run.
  static var all: [Case] { groups.flatMap(\.cases) }

  /// The cases by topic, each with the name of its chart.
  static var groups: [(name: String, title: String, cases: [Case])] {
    [
      ("migrations", "Migrations", rowMigrations + schemaChanges),
      ("objects", "Objects", objects + smallWrites + deleting),
      ("queries", "Queries", querying + otherQueries + makingQueries + ranges),
      ("observing", "Observing", observing),
      ("history", "History", keepingHistory + followingHistory),
      ("opening", "Opening", openManyTables + createManyTables),
    ]
  }

  /// Migrations with a closure that visits each row.
  private static var rowMigrations: [Case] {
    [
      combineStrings, editEveryRow, editFewRows, numberToText, createLinked, iterateInMigration,
      castInMigration, fiveChanges,
    ]
  }

  /// Migrations without such a closure.
  private static var schemaChanges: [Case] {
    [
      addOptional, addRequired, renameProperty, renameClass, removeProperty, transformNumber,
      addPrimaryKey, embedObjects,
    ]
  }

  private static var observing: [Case] {
    [observeSorted, observeMany, observedCommits, observedUpdate]
  }

  /// Operations on a file that needs no migration.
  private static var objects: [Case] {
    [
      openFile, addObjects, changeEveryObject, iterate, readValues, readByPosition,
      readOnTwoThreads,
      fetchByKey, readAgain, appendToList,
      readListMiddle, readChangedListMiddle,
    ]
  }
}

/// The selected cases, which the suite runs and reports.
struct Suite {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() throws {
    let cases = Case.all.filter(options.includes)
    guard !cases.isEmpty, !options.onlyLists else {
      for item in Case.all { print("\(item.name): \(item.title)") }
      return
    }
    let workspace = try Workspace()
    defer { workspace.remove() }
    let machine = try Machine.current()
    print(TextReport.heading(machine, passes: options.passes))
    var reports: [CaseReport] = []
    for item in cases {
      let report = try CaseRunner(item, options, workspace).run()
      print(TextReport.text(report))
      // Flushed, so that the reader of a pipe sees each case when it is done.
      fflush(nil)
      reports.append(report)
    }
    print(TextReport.summary(reports))
    try options.charts.map(URL.init(fileURLWithPath:)).map { try draw(reports, in: $0) }
    guard let path = options.json else { return }
    let report = SuiteReport(
      date: Date(), machine: machine, rows: options.rows, passes: options.passes, cases: reports)
    try report.write(to: URL(fileURLWithPath: path))
  }

  /// Draws the groups whose cases were measured.
  private func draw(_ reports: [CaseReport], in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for group in Case.groups {
      let names = Set(group.cases.map(\.name))
      let measured = reports.filter { names.contains($0.name) }
      let charts = [
        ("ratios", RatioChart("\(group.title): how many times as long as others", measured)?.svg),
        ("growth", GrowthChart("\(group.title): growth with the number of rows", measured)?.svg),
      ]
      for (kind, svg) in charts {
        let file = folder.appendingPathComponent("\(group.name)-\(kind).svg")
        try svg?.write(to: file, atomically: true, encoding: .utf8)
      }
    }
  }
}

/// The runner of one case at all sizes.
struct CaseRunner {
  private let item: Case
  private let options: Options
  private let workspace: Workspace

  init(_ item: Case, _ options: Options, _ workspace: Workspace) {
    self.item = item
    self.options = options
    self.workspace = workspace
  }

  func run() throws -> CaseReport {
    try Verifier(workspace).check(item)
    let sizes = try options.rows.map(measure)
    let memory = options.measuresMemory ? try measureMemory() : []
    return CaseReport(item, sizes: sizes, memory: memory)
  }

  /// Runs the contestants in turn, each on a fresh copy. Each pass starts with another contestant.
  private func measure(rows: Int) throws -> SizeReport {
    var seconds = Array(repeating: [Double](), count: item.contestants.count)
    for pass in 0..<options.passes {
      for turn in item.contestants.indices {
        let index = (pass + turn) % item.contestants.count
        let trial = try workspace.run(item.contestants[index], of: item, rows: rows)
        seconds[index].append(trial.seconds)
      }
    }
    let contestants = zip(item.contestants, seconds).map {
      ContestantReport(role: $0.role, seconds: Samples($1))
    }
    return SizeReport(rows: rows, units: item.units(rows), contestants: contestants)
  }

  private func measureMemory() throws -> [MemoryReport] {
    try Set([options.rows[0], options.rows[options.rows.count - 1]]).sorted().map { rows in
      let file = try workspace.copy(of: item.base, rows: rows)
      let megabytes = try MemoryProbe.measure(item, file, rows: rows)
      return MemoryReport(rows: rows, megabytes: megabytes)
    }
  }
}

/// The measurement of a case's peak memory, in a child process.
enum MemoryProbe {
  static let argument = "--memory"

  /// The child process: does the work once, and prints the megabytes.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let rows = Int(arguments[2]),
      let item = Case.all.first(where: { $0.name == arguments[0] })
    else { throw Unexpected("\(argument) needs a case, a file and its rows") }
    try item.contestants[0].run(Trial(file: URL(fileURLWithPath: arguments[1]), rows: rows))
    print(try PeakMemory.megabytes())
  }

  /// Starts the child process, and waits for it.
  static func measure(_ item: Case, _ file: URL, rows: Int) throws -> Double {
    let output = try Command.output(
      CommandLine.arguments[0], [argument, item.name, file.path, "\(rows)"])
    guard let megabytes = Double(output.split(separator: "\n").last ?? "") else {
      throw Unexpected("'\(item.name)' failed in a process of its own: \(output)")
    }
    return megabytes
  }
}
