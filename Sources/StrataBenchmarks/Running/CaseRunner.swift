/// Measures one case at all sizes.
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

  /// Contestants take turns, each on a fresh copy; each pass begins with another one.
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

extension Workspace {
  /// Runs a contestant once, on a file of its own.
  func run(_ contestant: Contestant, of item: Case, rows: Int) throws -> Trial {
    let count = contestant.rows(of: rows)
    let trial = Trial(file: try copy(of: item.base, rows: count), rows: count)
    try contestant.run(trial)
    try checkIsClosed(trial.file)
    return trial
  }
}
