import Foundation

/// The printed report.
enum TextReport {
  private static let width = 12

  static func heading(_ machine: Machine, passes: Int) -> String {
    """
    \(machine.cpu), \(machine.cores) cores, \(machine.system)
    \(machine.swift), SQLite \(machine.sqlite)
    \(passes) passes; medians [least…greatest]; ratios within a pass

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

  /// One line for each target, after all cases.
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

/// The number formats of the report.
enum Format {
  static func number(_ value: Double) -> String {
    switch abs(value) {
    case 100...: String(format: "%.0f", value)
    case 10...: String(format: "%.1f", value)
    default: String(format: "%.2f", value)
    }
  }

  static func time(_ seconds: Double) -> String {
    switch seconds {
    case 1...: "\(number(seconds)) s"
    case 0.001...: "\(number(seconds * 1e3)) ms"
    case 0.000_001...: "\(number(seconds * 1e6)) µs"
    default: "\(number(seconds * 1e9)) ns"
    }
  }

  static func range(_ least: Double, _ greatest: Double, _ format: (Double) -> String) -> String {
    "[\(format(least))…\(format(greatest))]"
  }

  /// 1000000 as 1,000,000.
  static func count(_ value: Int) -> String {
    var groups = String(value)[...]
    var text = ""
    while groups.count > 3 {
      text = ",\(groups.suffix(3))\(text)"
      groups = groups.dropLast(3)
    }
    return groups + text
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
