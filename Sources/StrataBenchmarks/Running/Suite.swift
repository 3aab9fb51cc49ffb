import Foundation

/// Runs the cases that were asked for, and reports on them.
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
    print(TextReport.heading(machine, options))
    var reports: [CaseReport] = []
    for item in cases {
      let report = try CaseRunner(item, options, workspace).run()
      print(TextReport.text(report))
      // Whoever reads a pipe sees each case when it is done.
      fflush(nil)
      reports.append(report)
    }
    print(TextReport.summary(reports))
    guard let path = options.json else { return }
    let report = SuiteReport(
      date: Date(), machine: machine, rows: options.rows, passes: options.passes, cases: reports)
    try report.write(to: URL(fileURLWithPath: path))
  }
}
