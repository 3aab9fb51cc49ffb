package import Foundation
import GRDB
package import StrataSchema

/// The folder of a replica: complete files, one after the other, which never change.
///
/// ```
/// orders.replica/
///   current                     the name of the newest one, and a line feed
///   000000000000001b.sqlite     a publication, which is read-only
///   000000000000001c.sqlite
///   state.json                  what is known of the original
///   promoted                    the promotion that new publications must contain, if any
///   follow/                     belongs to `strata follow`
/// ```
/// A file gets its name when it is complete, and `current` is written after it. A reader that reads
/// a name therefore finds the file.
package struct ReplicaFolder: Sendable, Hashable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  package var path: String { url.path }

  /// The file with the name of the newest publication.
  package var current: URL { url.appendingPathComponent("current") }

  package var stateFile: URL { url.appendingPathComponent("state.json") }

  /// The folder reserved for `strata follow`.
  package var followFolder: URL { url.appendingPathComponent("follow", isDirectory: true) }

  package func file(_ name: PublicationName) -> URL {
    url.appendingPathComponent(name.fileName, isDirectory: false)
  }

  // MARK: Reading

  private static let longestName = 256

  /// Returns the name of the newest publication; nil if missing.
  package func currentName() throws(RealmError) -> PublicationName? {
    guard let bytes = try PlainFile.contents(of: current, atMost: Self.longestName) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard let name = PublicationName(String(text)) else {
      throw RealmError(
        .invalidDatabase,
        "The replica '\(path)' names '\(text.prefix(100).filter { !$0.isNewline })' as its newest version, "
          + "which isn't the name of a version. Delete the file 'current' in this folder: publishing "
          + "the next version creates it again.", fileURL: url)
    }
    return name
  }

  /// Returns the newest publication.
  ///
  /// - Throws: ``RealmError`` with code `fileNotFound` before the first one. Other errors for a
  ///   name without a file, and for a file that can't be a database.
  package func newest() throws(RealmError) -> PublishedFile {
    guard let name = try currentName() else { throw hasNone }
    return try published(name)
  }

  /// The error of a folder without a publication.
  var hasNone: RealmError {
    RealmError(
      .fileNotFound,
      "There is no version in the replica '\(path)' yet: `strata follow` writes to it. Set `patience` "
        + "to wait for the first one.", fileURL: url)
  }

  package func published(_ name: PublicationName) throws(RealmError) -> PublishedFile {
    try PublishedFile(name: "\(name)", url: file(name))
  }

  /// A publication, and the time of its publishing.
  package struct Entry: Sendable, Hashable {
    package var name: PublicationName
    package var publishedAt: Date

    package init(name: PublicationName, publishedAt: Date) {
      self.name = name
      self.publishedAt = publishedAt
    }
  }

  /// Returns all publications in the order of publishing. A missing folder has none.
  package func entries() throws(RealmError) -> [Entry] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      var status = stat()
      if stat(path, &status) != 0, errno == ENOENT { return [] }
      throw RealmError(
        FileReason.code(error),
        "The folder of the replica '\(path)' can't be read: \(FileReason.text(error))",
        fileURL: url, underlyingError: error)
    }
    let suffix = ".\(PublicationName.fileExtension)"
    let entries = names.filter { $0.hasSuffix(suffix) }.compactMap { fileName -> Entry? in
      guard let name = PublicationName(String(fileName.dropLast(suffix.count))),
        let time = FileAppearance.timeOfChange(file(name))
      else { return nil }
      return Entry(name: name, publishedAt: time)
    }
    return entries.sorted {
      ($0.publishedAt, $0.name.turn, $0.name.base) < ($1.publishedAt, $1.name.turn, $1.name.base)
    }
  }

  /// Returns the publication that was the newest one at a time.
  ///
  /// - Throws: ``RealmError`` with code `fileNotFound` if the oldest one is later.
  package func name(asOf date: Date) throws(RealmError) -> PublicationName {
    let entries = try entries()
    guard let oldest = entries.first else { throw hasNone }
    guard let last = entries.last(where: { $0.publishedAt <= date }) else {
      throw RealmError(
        .fileNotFound,
        "The replica '\(path)' has no version from before \(date.inSentence): the oldest one is of "
          + "\(oldest.publishedAt.inSentence).", fileURL: url)
    }
    return last.name
  }
}

/// Writing to the folder of a replica. Only for the holder of its lock.
extension ReplicaFolder {
  /// Takes the lock for the one program that writes to the folder. Creates the folder and the lock
  /// file if necessary.
  ///
  /// - Returns: Nil while another program has the lock.
  package func lock() throws -> FileLock? {
    try PlainFile.makeFolder(followFolder)
    return try FileLock.exclusive(making: followFolder.appendingPathComponent(Self.lockName))
  }

  /// Removes the lock file, whose lock the caller still holds, and the folder for it if that is
  /// empty.
  ///
  /// - Parameter withFolder: Whether to remove the folder of the replica as well if it is empty.
  package func removeLock(withFolder: Bool) {
    unlink(followFolder.appendingPathComponent(Self.lockName).path)
    // Folders that aren't empty stay.
    rmdir(followFolder.path)
    if withFolder { rmdir(path) }
  }

  private static let lockName = "lock"

  /// Publishes a file: from then on readers show it.
  ///
  /// - Parameters:
  ///   - place: The name of its position. If the name was used before, the file gets another turn.
  ///   - fill: Writes the complete file at a path. If it fails, nothing is left behind.
  /// - Throws: ``RealmError`` with code `otherPrimary` for the file of a former primary, and the
  ///   error of the closure.
  package func publish(
    _ place: PublicationName, _ key: FileKey? = nil, _ fill: (_ part: URL) throws -> Void
  ) throws -> Entry {
    try checkIsReplica()
    let known = try promotion()
    removeParts()
    let name = place.following(try newestKnown()) { name in
      var status = stat()
      return lstat(file(name).path, &status) == 0
    }
    let part = url.appendingPathComponent(".\(name)\(Self.partSuffix)")
    let promotion: PromotionRecord?
    do {
      try fill(part)
      promotion = try check(promotions(before: part, key), known)
      try PlainFile.finish(part)
      guard try PlainFile.name(part, file(name)) else {
        throw RealmError(
          .fileExists, "'\(file(name).path)' was made by another program meanwhile.",
          fileURL: file(name))
      }
      unlink(part.path)
    } catch {
      DatabaseCopy.remove(part)
      throw error
    }
    // Before readers show the file: it may be the first one of a new primary.
    if let promotion { try write(promotion) }
    try PlainFile.replace(current, with: "\(name)\n")
    return Entry(name: name, publishedAt: FileAppearance.timeOfChange(file(name)) ?? Date())
  }

  /// Returns the promotions before the contents of a file. A file that can't be read has none:
  /// readers report what is wrong with it.
  package func promotions(before file: URL, _ key: FileKey?) throws(RealmError) -> [Int64] {
    do {
      return try Connections.openPublication(file, key).unsafeRead(FileOrigins.promotions)
    } catch {
      let error = RealmError(error, at: file)
      if error.code == .invalidDatabase { return [] }
      throw error
    }
  }

  /// Checks that `current` is a regular file. Some programs are deployed with a link `current` to a
  /// folder.
  ///
  /// - Throws: ``RealmError`` with code `fileExists` if `current` is no regular file.
  private func checkIsReplica() throws(RealmError) {
    var status = stat()
    guard lstat(current.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw RealmError(
      .fileExists,
      "'\(current.path)' is not a regular file, but the folder of a replica has a file of this "
        + "name: another program may use this folder. Choose another folder for the replica, or "
        + "remove 'current'.",
      fileURL: url)
  }

  /// Returns the name that precedes the next one: the name in `current`, or else of the last file.
  private func newestKnown() throws -> PublicationName? {
    do {
      if let name = try currentName() { return name }
    } catch {
      // The next publication writes `current` again.
    }
    return try ownEntries().last?.name
  }

  /// Returns the publications without the files of other programs in the folder.
  private func ownEntries() throws(RealmError) -> [Entry] {
    try entries().filter(\.name.hasPosition)
  }

  private static let partSuffix = ".part"

  /// Removes the files that a killed program has left.
  private func removeParts() {
    for name in FileNames.names(in: url) where Self.isPart(name) {
      unlink(url.appendingPathComponent(name).path)
    }
  }

  /// Whether a file has the name of an unfinished file of the library.
  private static func isPart(_ fileName: String) -> Bool {
    StoreFile.companionSuffixes.contains { companion in
      let suffix = partSuffix + companion
      guard fileName.hasPrefix("."), fileName.hasSuffix(suffix) else { return false }
      let whole = String(fileName.dropFirst().dropLast(suffix.count))
      return ["current", "state.json", "promoted"].contains(whole)
        || PublicationName(whole)?.hasPosition == true
    }
  }

  /// Deletes publications that need not be kept. Readers that have one open keep its contents.
  ///
  /// A file with write permission belongs to another program, whatever its name: publications are
  /// read-only.
  /// - Returns: The names of the deleted publications.
  @discardableResult
  package func prune(_ retention: PublicationRetention, at now: Date = Date()) throws
    -> [PublicationName]
  {
    guard let current = try currentName() else { return [] }
    let superfluous = retention.superfluous(of: try ownEntries(), current, at: now)
      .filter { FilePermissions(of: file($0))?.isReadOnly == true }
    for name in superfluous { unlink(file(name).path) }
    return superfluous
  }
}

/// Sentences about replicas.
extension ErrorText {
  package static func replicaBehind(
    _ path: String, _ token: HistoryToken, newest: HistoryToken?, after limit: Duration
  ) -> String {
    "The replica at path '\(path)' lacks the transaction '\(token)' after \(limit): its newest one is "
      + "'\(newest?.description ?? "none")'. Wait longer, or read the original."
  }

}

extension Date {
  /// The time in UTC to the second, for a sentence.
  package var inSentence: String { String((DateText.encode(self) ?? "?").prefix(19)) }
}
