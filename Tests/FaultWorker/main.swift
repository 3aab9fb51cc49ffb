import Foundation
import Strata

// Does one job on a file while something goes wrong. Started by the tests of faults, or by hand:
//
//     FaultWorker prepare migrate FILE
//     FaultWorker run migrate FILE at=write:17

do {
  try Command(CommandLine.arguments.dropFirst()).run()
} catch {
  print("failed \(error)")
  exit(1)
}
