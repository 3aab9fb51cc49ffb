import Foundation
import Strata

/// Writes a catalogue of the first version, shows what a migration would do, and does it.
func migrateBooks() async throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "StrataExample-\(UUID())", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { removeFolder(folder) }
  let file = folder.appendingPathComponent("books.sqlite")
  try writeBooks(20_000, to: file)

  var configuration = Realm.Configuration(fileURL: file, migrationPlan: .books)
  configuration.migrationBackup = MigrationBackup(keeping: 1)
  print("\nA catalogue of books, in stages\n")
  let forecast = try Realm.migrationForecast(for: configuration)
  print("\(forecast)".replacingOccurrences(of: folder.path + "/", with: ""))
  guard forecast.obstacles.isEmpty else { throw Failure("The books can't be migrated.") }

  print("")
  var bar = ProgressBar()
  for try await state in Realm.opening(configuration: configuration) {
    switch state {
    case .connecting, .converting: break
    case .migrating(let progress): bar.show(progress)
    case .open(let realm):
      bar.finish()
      try checkBooks(realm)
    }
  }
  for version in try Realm.migrationHistory(at: file) {
    let from = version.migratedFrom.map { "from \($0)" } ?? "created"
    print(label("v\(version.version)") + "\(from), \(version.rows ?? 0) rows")
  }
  guard let backup = try Realm.backups(for: configuration).first else {
    throw Failure("There is no backup of the books.")
  }
  try Realm.restoreBackup(backup, for: configuration)
  print(label("restored") + "version \(try schemaVersionAtURL(file)) from its backup")
}

private func writeBooks(_ count: Int, to file: URL) throws {
  let realm = try Realm(
    configuration: Realm.Configuration(fileURL: file, migrationPlan: [.version(BooksV1.self)]))
  try realm.write {
    for number in 0..<count {
      realm.create(
        BooksV1.Book.self,
        value: ["Volume \(number)", "Author", "No. \(number % 100)", number % 40])
    }
  }
}

private func checkBooks(_ realm: Realm) throws {
  let books = realm.objects(BooksV4.Book.self)
  let authors = realm.objects(BooksV4.Author.self)
  guard books.count == 20_000, authors.count == 100, let last = books.last,
    last.title == "Volume 19999", last.author?.name == "Author No. 99", last.place == "Shelf 39",
    last.author?.books.count == 200
  else { throw Failure("The migrated books differ from the expected ones.") }
  print(label("checked") + "\(books.count) books by \(authors.count) authors")
}

func removeFolder(_ folder: URL) {
  do {
    try FileManager.default.removeItem(at: folder)
  } catch {
    print("The folder '\(folder.path)' can't be removed: \(error.localizedDescription)")
  }
}

/// The progress of a migration: a bar on a terminal, and plain lines where output goes to a file or
/// to another program.
struct ProgressBar {
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var shown = ""
  private static let width = 30

  mutating func show(_ progress: MigrationProgress) {
    guard isTerminal else { return showLine(progress) }
    let done = Int(progress.fractionCompleted * Double(Self.width))
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: Self.width - done)
    // Returns to the start of the line, and clears the rest of it.
    print("\r\(bar) \(progress)\u{1B}[K", terminator: "")
    fflush(nil)
  }

  /// Prints one line for each stage and class: a printed line can't be changed.
  private mutating func showLine(_ progress: MigrationProgress) {
    let work = "Version \(progress.from) to \(progress.to): \(progress.className ?? "begins")"
    guard work != shown else { return }
    shown = work
    print(work)
  }

  /// Leaves the line of the bar.
  func finish() { if isTerminal { print("\r\u{1B}[K", terminator: "") } }
}
