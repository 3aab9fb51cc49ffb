package import Foundation

/// The folder of a replica: whole files, one after the other, which never change.
///
/// ```
/// orders.replica/
///   current                     the name of the newest one, and a line feed
///   000000000000001b.sqlite     a publication, which nobody may write
///   000000000000001c.sqlite
///   state.json                  what is known of the original
///   follow/                     belongs to `strata follow`
/// ```
/// A file gets its name when it is whole, and `current` after it: who reads a name finds the file.
package struct ReplicaFolder: Sendable, Hashable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  package var path: String { url.path }

  /// The file with the name of the newest publication.
  package var current: URL { url.appendingPathComponent("current") }

  package var stateFile: URL { url.appendingPathComponent("state.json") }

  /// The folder that `strata follow` has for itself.
  package var followFolder: URL { url.appendingPathComponent("follow", isDirectory: true) }

  package func file(_ name: PublicationName) -> URL {
    url.appendingPathComponent(name.fileName, isDirectory: false)
  }

  // MARK: Reading

  private static let longestName = 256

  /// The name of the newest publication; nil when there is none yet.
  ///
  /// - Throws: ``RealmError`` when the folder can't be read, or names something else.
  package func currentName() throws(RealmError) -> PublicationName? {
    guard let bytes = try PlainFile.contents(of: current, atMost: Self.longestName) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard let name = PublicationName(String(text)) else {
      throw RealmError(
        .invalidDatabase,
        ErrorText.invalidPublicationName(
          String(text.prefix(100).filter { !$0.isNewline }), in: path),
        fileURL: url)
    }
    return name
  }

  /// The newest publication.
  ///
  /// - Throws: ``RealmError`` with code `fileNotFound` when there is none yet, others for a name
  ///   without a file, and for a file that can't be a database.
  package func newest() throws(RealmError) -> PublishedFile {
    guard let name = try currentName() else { throw hasNone }
    return try published(name)
  }

  /// The error of a folder without a publication.
  var hasNone: RealmError {
    RealmError(.fileNotFound, ErrorText.noPublication(in: path), fileURL: url)
  }

  package func published(_ name: PublicationName) throws(RealmError) -> PublishedFile {
    try PublishedFile(name: "\(name)", url: file(name))
  }

  /// A publication, and when it came into the folder.
  package struct Entry: Sendable, Hashable {
    package var name: PublicationName
    package var publishedAt: Date

    package init(name: PublicationName, publishedAt: Date) {
      self.name = name
      self.publishedAt = publishedAt
    }
  }

  /// All publications that are there, in the order in which they came.
  ///
  /// - Throws: ``RealmError`` when the folder can't be read; it has none when it isn't there.
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
        let time = PublishedFile.publicationTime(of: file(name))
      else { return nil }
      return Entry(name: name, publishedAt: time)
    }
    return entries.sorted {
      ($0.publishedAt, $0.name.turn, $0.name.base) < ($1.publishedAt, $1.name.turn, $1.name.base)
    }
  }

  /// The publication that was the newest one at a time.
  ///
  /// - Throws: ``RealmError`` with code `fileNotFound` when there is none from before it.
  package func name(asOf date: Date) throws(RealmError) -> PublicationName {
    let entries = try entries()
    guard let oldest = entries.first else { throw hasNone }
    guard let last = entries.last(where: { $0.publishedAt <= date }) else {
      throw RealmError(
        .fileNotFound,
        ErrorText.noPublication(
          in: path, before: date.inSentence, oldest: oldest.publishedAt.inSentence), fileURL: url)
    }
    return last.name
  }
}
