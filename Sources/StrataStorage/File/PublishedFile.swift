package import Foundation
import Synchronization

/// A whole file that never changes: a version of a replica.
///
/// It may lose its name while it is read: who has it open keeps its bytes.
package final class PublishedFile: Sendable {
  /// Its name in the folder, without what names its kind.
  package let name: String
  package let url: URL
  /// When it came into the folder.
  package let publishedAt: Date
  private let notes = Mutex(Notes())

  /// The remarks of the writer of the folder, made while it was the newest one.
  package struct Notes: Sendable {
    package var sentAt: Date?
    package var checkedAt: Date?
  }

  /// - Throws: ``RealmError`` when there is no such file, or one that can't be a database.
  package init(name: String, url: URL) throws(RealmError) {
    self.name = name
    self.url = url
    try StoreFile.requireDatabase(url)
    publishedAt = Self.publicationTime(of: url) ?? Date(timeIntervalSince1970: 0)
  }

  /// When a file was published; nil when there is none.
  package static func publicationTime(of url: URL) -> Date? {
    FileAppearance.timeOfChange(url)
  }

  /// Whether it still has its name.
  package var hasName: Bool {
    var status = stat()
    return stat(url.path, &status) == 0
  }

  /// Remembers what is said of it; what was said before stays where there is nothing new.
  package func note(sentAt: Date?, checkedAt: Date?) {
    notes.withLock { notes in
      notes.sentAt = sentAt ?? notes.sentAt
      notes.checkedAt = checkedAt ?? notes.checkedAt
    }
  }

  package var noted: Notes { notes.withLock { $0 } }
}
