import CFuzzing
import Foundation

// The first argument is the reader, the others are libFuzzer's: options, a folder for inputs that
// took new branches, and folders with first inputs; or a single input, which is run once.
let run = Readers.all[CommandLine.arguments.dropFirst().first ?? ""]
guard run != nil else {
  print("usage: Fuzzing \(Readers.all.keys.sorted().joined(separator: "|")) [options] [folders]")
  exit(2)
}

var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { start, count in
    run?(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  })
