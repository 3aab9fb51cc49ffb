import Foundation
import Strata

/// Runs the first release in a process of its own, and migrates its file while it goes on writing.
func runTwoReleases() throws {
  print("\nTwo releases, one file")
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { remove(folder) }
  let file = folder.appendingPathComponent("orders.sqlite")

  let first = Process()
  let (input, output) = (Pipe(), Pipe())
  first.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
  first.arguments = ["take-orders", file.path]
  first.standardInput = input
  first.standardOutput = output
  try first.run()
  defer { if first.isRunning { first.terminate() } }
  func order() throws -> String {
    input.fileHandleForWriting.write(Data("\n".utf8))
    let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return answer.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  try require(order() == "took order 1", "The first release takes no orders.")
  do {
    let realm = try Realm(configuration: OrderRelease2.configuration(file))
    print("  The second release migrates: \(try schemaVersionAtURL(file)) is the version now.")
    try realm.write { realm.create(OrderRelease2.Order.self, value: ["number": 100]) }
  }
  try require(order() == "took order 2", "The first release doesn't go on after the migration.")
  input.fileHandleForWriting.closeFile()
  first.waitUntilExit()
  print("  The first release, which is still running, takes order 2.")

  let realm = try Realm(configuration: OrderRelease2.configuration(file))
  for order in realm.objects(OrderRelease2.Order.self).where({ $0.number < 100 }) {
    print("  \(order.summary ?? "none"), \(order.items.count) item, in \(order.currency)")
  }
  let summaries = realm.objects(OrderRelease2.Order.self).where { $0.number < 100 }
    .map { $0.summary }
  try require(summaries == ["Ada's order 1", "Ada's order 2"], "An order has no summary.")
}

/// Takes an order for each line of the standard input: the first release.
func takeOrders(_ file: URL) throws {
  let realm = try Realm(configuration: OrderRelease1.configuration(file))
  while readLine() != nil {
    let last: Int? = realm.objects(OrderRelease1.Order.self).where { $0.number < 100 }
      .max(of: \.number)
    let number = (last ?? 0) + 1
    try realm.write {
      realm.create(
        OrderRelease1.Order.self,
        value: ["number": number, "customer": "Ada", "items": ["tea"]])
    }
    print("took order \(number)")
    fflush(nil)
  }
}

private func require(_ isRight: Bool, _ text: String) throws {
  if !isRight { throw Failure(text) }
}

private func remove(_ folder: URL) {
  do {
    try FileManager.default.removeItem(at: folder)
  } catch {
    print("The folder '\(folder.path)' can't be removed: \(error)")
  }
}
