public import Foundation

/// The folder with the copies of one file.
package struct BackupFolder {
  /// The original file.
  package let file: URL
  package let url: URL

  package init(of file: URL, _ backup: MigrationBackup?) {
    self.file = file
    url =
      backup?.directory
      ?? file.deletingLastPathComponent().appendingPathComponent(
        "\(Self.stem(of: file))-backups", isDirectory: true)
  }

  private static func stem(of file: URL) -> String {
    file.deletingPathExtension().lastPathComponent
  }

  /// Returns the destination of a new copy. If a file of the same name got a copy in the same
  /// millisecond, the name has a later time.
  package func newCopy(version: UInt64, at date: Date) -> URL {
    let ending = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
    var date = date
    while true {
      let name = "\(Self.stem(of: file))-v\(version)-\(Self.text(date))\(ending)"
      let copy = url.appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: copy.path) else { return copy }
      date += 0.001
    }
  }

  /// Creates the folder, and its parents, if necessary.
  package func make() throws(RealmError) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return try PlainFile.makeFolder(url) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw RealmError(.fileAccess, "'\(url.path)' is a file, and no folder.", fileURL: url)
    }
    guard access(url.path, W_OK | X_OK) == 0 else {
      throw RealmError(
        FileReason.lastCode, "The folder '\(url.path)' can't be written: \(FileReason.last)",
        fileURL: url)
    }
  }

  /// Removes the files that killed processes left of copies.
  package func removeAbandoned() {
    CopyDestination.removeAbandoned(in: url) { backup($0) != nil }
  }

  /// Returns the copies, the newest first; none if there is no folder.
  package func backups() throws -> [RealmBackup] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return names.compactMap(backup).sorted { first, second in
      (first.createdAt, first.schemaVersion, first.url.path)
        > (second.createdAt, second.schemaVersion, second.url.path)
    }
  }

  /// Returns the copy with a name; nil for other files.
  private func backup(_ name: String) -> RealmBackup? {
    let start = "\(Self.stem(of: file))-v"
    let ending = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
    // By bytes: another file may have copies here, with a name of the same letters in another
    // encoding.
    let bytes = Substring(name).utf8
    guard bytes.starts(with: start.utf8), bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    else { return nil }
    let middle = Substring(bytes.dropFirst(start.utf8.count).dropLast(ending.utf8.count))
    let parts = middle.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = UInt64(parts[0]), let date = Self.date(String(parts[1]))
    else { return nil }
    return RealmBackup(
      url: url.appendingPathComponent(name), schemaVersion: version, createdAt: date)
  }

  // MARK: Times in names

  /// Returns a name such as `20261121T101502.250Z`, which sorts by time on every file system.
  private static func text(_ date: Date) -> String {
    DateText.encode(date).map { text in
      // `2026-11-21 10:15:02.250000000`
      let digits = text.filter(\.isNumber)
      return
        "\(digits.prefix(8))T\(digits.dropFirst(8).prefix(6)).\(digits.dropFirst(14).prefix(3))Z"
    } ?? "00010101T000000.000Z"
  }

  private static func date(_ text: String) -> Date? {
    guard let match = text.wholeMatch(of: /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{3})Z/)
    else { return nil }
    let (_, year, month, day, hour, minute, second, fraction) = match.output
    return DateText.decode("\(year)-\(month)-\(day) \(hour):\(minute):\(second).\(fraction)")
  }
}

/// The settings for copying a file before each migration.
///
/// ```swift
/// configuration.migrationBackup = MigrationBackup(keeping: 5)
/// ```
/// The copy is made with SQLite's backup, while no other connection can write, and is checked
/// before the migration begins. If the copy can't be made, or is damaged, the migration stops and
/// the file is unchanged. A copy is a separate file, named after the file, its version and the
/// time: `people-v3-20261121T101502.250Z.sqlite`.
public struct MigrationBackup: Sendable, Hashable {
  /// The folder for copies, which is created if necessary; nil for `<name>-backups` beside the
  /// file.
  ///
  /// Files with the same name in different folders need separate folders for copies. Copies are
  /// found by the name of the file, so a copy of another file would be deleted or restored.
  public var directory: URL?

  /// The number of copies to keep. Older ones are deleted after a new one is made.
  public var keeping: Int

  /// Creates the settings. By default the last three copies are kept.
  public init(directory: URL? = nil, keeping: Int = 3) {
    self.directory = directory
    self.keeping = keeping
  }
}

/// A copy of a file from before a migration.
public struct RealmBackup: Sendable, Hashable {
  /// The copy.
  public let url: URL
  /// The version of the file at that time.
  public let schemaVersion: UInt64
  /// The time of the copy.
  public let createdAt: Date
}
