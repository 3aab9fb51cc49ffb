/// What is printed.
enum TextReport {
  private static let width = 12

  static func heading(_ machine: Machine, _ options: Options) -> String {
    """
    \(machine.cpu), \(machine.cores) cores, \(machine.system)
    \(machine.swift), SQLite \(machine.sqlite)
    \(options.passes) passes; medians [least…greatest]; ratios within a pass

    """
  }

  static func text(_ report: CaseReport) -> String {
    let sizes = report.sizes.map { lines($0).joined(separator: "\n") }
    let memory = report.memory.map {
      "\(Format.number($0.megabytes)) MB with \(Format.count($0.rows)) rows"
    }
    var text = "\(report.name): \(report.title)\n" + sizes.joined(separator: "\n")
    if !memory.isEmpty { text += "\n  memory: " + memory.joined(separator: ", ") }
    return text + report.verdicts.map { "\n  \(line($0))" }.joined() + "\n"
  }

  private static func lines(_ size: SizeReport) -> [String] {
    var heading = "  \(Format.count(size.rows)) rows"
    if size.units > 1 {
      heading += ", \(Format.time(size.secondsPerUnit)) for each of \(Format.count(size.units))"
    }
    return [heading]
      + size.contestants.map { contestant in
        let seconds = contestant.seconds
        let range = Format.range(seconds.least, seconds.greatest, Format.time)
        let time = "\(Format.time(seconds.median)) \(range)"
        let name = Format.padded(contestant.role.title, width)
        guard let ratio = size.ratio(to: contestant.role) else { return "    \(name)  \(time)" }
        return "    \(name)  \(Format.padded(time, 32))  ratio \(Format.number(ratio.median)) "
          + Format.range(ratio.least, ratio.greatest, Format.number)
          + ", least to least \(Format.number(ratio.fastest))"
      }
  }

  private static func line(_ verdict: Verdict) -> String {
    "\(verdict.isMet ? "reached" : "MISSED ") "
      + "\(Format.number(verdict.measured)) \(verdict.target) "
      + "(at most \(Format.number(verdict.limit))); \(verdict.detail)"
  }

  /// One line for each target, behind all cases.
  static func summary(_ reports: [CaseReport]) -> String {
    let lines = reports.flatMap { report in
      report.verdicts.map { "\(Format.padded(report.name, 16)) \(line($0))" }
    }
    let verdicts = reports.flatMap(\.verdicts)
    let missed = verdicts.filter { !$0.isMet }.count
    let rows = reports.compactMap { $0.sizes.last?.rows }.max() ?? 0
    let heading = "Targets, with \(Format.count(rows)) rows: \(missed) of \(verdicts.count) missed"
    return ([heading] + lines).joined(separator: "\n")
  }
}
