import Foundation
import Strata

/// Shows the people of a file, and goes on showing what any program writes to it, until Ctrl-C.
///
/// On a terminal the table stays in its place; where output goes to a file or to another program,
/// there is a line for each row that changed.
func watchPetOwners(_ file: URL) async throws {
  guard FileManager.default.fileExists(atPath: file.path) else {
    throw Failure("There is no file '\(file.path)'. 'write-fixtures' makes some.")
  }
  let watching = Task {
    let realm = try await Realm.open(configuration: PetOwnersV5.configuration(file))
    let people = realm.objects(PetOwnersV5.Person.self).sorted(by: \.fullName)
    var screen = WatchScreen(title: file.lastPathComponent)
    for try await change in people.changes() { screen.show(change) }
    screen.finish()
  }
  let signals = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { watching.cancel() }
    source.resume()
    return source
  }
  defer { for source in signals { source.cancel() } }
  try await watching.value
}

/// The screen on which the table is shown.
private struct WatchScreen {
  private let title: String
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var table = WatchedTable()
  /// How many lines are on the screen.
  private var height = 0

  private static let header = ["fullName", "age", "pets", "city"]

  init(title: String) {
    self.title = title
  }

  mutating func show(_ change: RealmCollectionChange<Results<PetOwnersV5.Person>>) {
    switch change {
    case .initial(let people): table.show(people.map(Self.cells))
    case .update(let people, let deletions, let insertions, let modifications):
      table.show(
        people.map(Self.cells), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error(let error): print("\(error)")
    }
    if isTerminal { draw() } else { printChanges() }
    fflush(nil)
  }

  func finish() { if isTerminal { print("") } }

  private static func cells(_ person: PetOwnersV5.Person) -> [String] {
    let pets = person.pets.map { "\($0.name) (\($0.kind.rawValue))" }
    return [
      person.fullName, "\(person.age)", pets.joined(separator: ", "), person.address?.city ?? "",
    ]
  }

  /// Prints a line for each changed row; at first for each row.
  private func printChanges() {
    let changed = table.lines.filter { $0.mark != .unchanged }
    for line in changed.isEmpty ? table.lines : changed { print(WatchedTable.text(line)) }
  }

  /// Draws the table over the previous one.
  private mutating func draw() {
    if height > 0 { print("\u{1B}[\(height)A\r\u{1B}[J", terminator: "") }
    let rows = max(1, Self.windowHeight - 4)
    let head = "\(title): \(table.rows.count) people; Ctrl-C ends"
    let lines = [head] + table.columns(Self.header, most: rows)
    for line in lines { print(Self.colored(line)) }
    height = lines.count
  }

  private static func colored(_ line: String) -> String {
    let colors: [Character: Int] = ["+": 32, "-": 31, "~": 33]
    guard let mark = line.first, let color = colors[mark] else { return line }
    return "\u{1B}[\(color)m\(line)\u{1B}[0m"
  }

  private static var windowHeight: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}
