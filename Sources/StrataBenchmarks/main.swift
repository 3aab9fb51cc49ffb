import Foundation

// Measures what a migration costs, beside the same work written by hand with GRDB.
//
//     StrataBenchmarks [rows] [passes]
//
// Ratios hold on any machine; seconds only on this one. Each pass works on a fresh copy of the
// file, and the two sides take turns.

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "--memory" {
  try MemoryProbe.run(file: URL(fileURLWithPath: arguments[2]), mode: arguments[3])
} else {
  let rows = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
  let passes = arguments.count > 2 ? Int(arguments[2]) ?? 7 : 7
  try Suite(rows: rows, passes: passes).run()
}
