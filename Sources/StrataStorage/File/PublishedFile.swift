package import Foundation
import Synchronization

/// A complete file that never changes: a version of a replica.
///
/// The file may be deleted while it is read: open connections keep its contents.
package final class PublishedFile: Sendable {
  /// The name in the folder, without the parts that name the kind of file.
  package let name: String
  package let url: URL
  /// The time at which the file was published in the folder.
  package let publishedAt: Date
  private let notes = Mutex(Notes())

  /// The times that the writer of the folder recorded while this was the newest file.
  package struct Notes: Sendable {
    package var sentAt: Date?
    package var checkedAt: Date?
  }

  /// - Throws: ``RealmError`` if there is no such file, or it can't be a database.
  package init(name: String, url: URL) throws(RealmError) {
    self.name = name
    self.url = url
    try StoreFile.requireDatabase(url)
    publishedAt = Self.publicationTime(of: url) ?? Date(timeIntervalSince1970: 0)
  }

  /// Returns the time at which a file was published; nil if missing.
  package static func publicationTime(of url: URL) -> Date? {
    FileAppearance.timeOfChange(url)
  }

  /// Whether the file still has its name.
  package var hasName: Bool {
    var status = stat()
    return stat(url.path, &status) == 0
  }

  /// Records times; a nil argument keeps the earlier time.
  package func record(sentAt: Date?, checkedAt: Date?) {
    notes.withLock { notes in
      notes.sentAt = sentAt ?? notes.sentAt
      notes.checkedAt = checkedAt ?? notes.checkedAt
    }
  }

  package var noted: Notes { notes.withLock { $0 } }
}
