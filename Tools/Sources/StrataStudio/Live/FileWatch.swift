package import Foundation
import Strata
import StrataStorage

/// A watch over the commits of a file, whoever makes them, and over its being there.
///
/// It looks five times a second: `PRAGMA data_version` costs some microseconds. Several commits
/// between two looks are one event. Realms that are only read can't be observed, and observing
/// compares all objects of a class: the page compares what it shows.
package actor FileWatch {
  private var url: URL
  private let key: FileKey?
  private var schemaVersion: UInt64
  /// Since when the file has been at it; nil until the first look.
  private var since: Date?
  private var lookout: Lookout
  private let interval: Duration
  private var listeners: [Int: AsyncStream<FileEvent>.Continuation] = [:]
  private var nextListener = 0
  private var watching: Task<Void, Never>?
  private var end: FileEvent?
  private var newSchema: FileEvent?
  private var origin: RealmOrigin?
  private var outdated: FileEvent?
  /// The file as it was at the beginning.
  private var identity: FileIdentity?
  /// The file without its WAL, as it was before the last look.
  private var appearance: FileAppearance?
  /// Closes the connections of the other readers of the file.
  private var letGo: @Sendable () async -> Void = {}
  /// The closing of those connections, while it runs.
  private var closing: Task<Void, Never>?
  /// Whether a look has come to its end: the first one doesn't know what was committed before.
  private var hasLooked = false

  /// How many commits were seen.
  package private(set) var version = 1

  /// Why there is nothing to watch any more; nil until then.
  package var endReason: String? {
    if case .ended(let reason) = end { reason } else { nil }
  }

  /// - Parameters:
  ///   - key: The 64 bytes of an encrypted file.
  ///   - origin: The file of Realm of which this one is a copy.
  package init(
    _ url: URL, key: Data?, schemaVersion: UInt64, interval: Duration = .milliseconds(200),
    origin: RealmOrigin? = nil
  ) {
    self.url = url
    self.origin = origin
    self.key = key.map { FileKey($0) }
    self.schemaVersion = schemaVersion
    self.interval = interval
    lookout = Lookout(url, self.key, for: .look)
    identity = FileIdentity(url)
  }

  /// The events from now on. It ends with `ended`, or when nobody listens any more.
  package func events() -> AsyncStream<FileEvent> {
    let (stream, continuation) = AsyncStream<FileEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(100))
    let number = nextListener
    nextListener += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    for event in news { continuation.yield(event) }
    if end != nil { continuation.finish() }
    begin()
    return stream
  }

  private func forget(_ number: Int) { listeners[number] = nil }

  /// What is so already: a newer schema, or that the file of Realm has changed.
  var news: [FileEvent] { [newSchema, outdated, end].compactMap(\.self) }

  /// Begins to look.
  ///
  /// - Parameter letGo: Closes the connections of the other readers. SQLite doesn't notice a file
  ///   that is copied over the one that they have open.
  package func begin(lettingGo letGo: @escaping @Sendable () async -> Void) {
    self.letGo = letGo
    begin()
  }

  /// Begins to look, if it doesn't yet.
  package func begin() {
    guard watching == nil, end == nil else { return }
    watching = Task { [weak self, interval] in
      while !Task.isCancelled {
        guard await self?.look() == true else { return }
        do {
          try await Task.sleep(for: interval)
        } catch {
          return
        }
      }
    }
  }

  /// Tells all who listen.
  package func tell(_ event: FileEvent) {
    for listener in listeners.values { listener.yield(event) }
  }

  /// Ends for good; those who listen hear why.
  package func finish(_ reason: String) {
    guard end == nil else { return }
    let event = FileEvent.ended(reason: reason)
    end = event
    tell(event)
    for listener in listeners.values { listener.finish() }
    listeners = [:]
    watching?.cancel()
    lookout.close()
  }

  /// Looks now. False once there is nothing to look at any more.
  @discardableResult
  package func look() async -> Bool {
    await closing?.value
    guard end == nil else { return false }
    guard FileIdentity(url) == identity else {
      finish("The file isn't there any more.")
      return false
    }
    if let event = origin?.change?.event, event != outdated {
      outdated = event
      tell(event)
    }
    do {
      // What changes during the look is seen by the next one.
      let present = FileAppearance(ofOnly: url)
      var seesCommit = try seesCommit()
      if hasLooked, !seesCommit, present != appearance {
        // A checkpoint, or another file was copied over this one, which SQLite doesn't notice.
        await closeAll()
        guard end == nil else { return false }
        seesCommit = try self.seesCommit()
      }
      appearance = present
      if seesCommit, hasLooked {
        version += 1
        tell(.commit(version: version))
      }
      hasLooked = true
    } catch {
      // A file that is being replaced, or locked for a moment: the next look tells.
    }
    return true
  }

  private func closeAll() async {
    lookout.close()
    lookout = Lookout(url, key, for: .look)
    let closing = Task { [letGo] in await letGo() }
    self.closing = closing
    await closing.value
    self.closing = nil
  }

  /// Whether there is a commit of the schema that is shown. Another schema is told.
  private func seesCommit() throws -> Bool {
    // The process has the file open, and would be told the version of then.
    var found: (version: UInt64, since: Date)?
    var isMigrated = false
    let sight = try lookout.look { db, url in
      found = try VersionTable.newest(db, at: url)
      guard let found, found.version == schemaVersion, since == nil || found.since == since else {
        isMigrated = try VersionTable.history(db, at: url).contains {
          $0.version == schemaVersion && (since == nil || $0.migratedAt == since)
        }
        throw VersionTable.changed(from: schemaVersion, to: found?.version, at: url)
      }
    }
    switch sight {
    case .nothing: return false
    case .commit:
      since = found?.since
      return true
    case .otherVersion:
      if let found { noteSchema(found, isReplaced: !isMigrated || found.version <= schemaVersion) }
      return false
    }
  }

  /// Takes the schema version that another program has made for the one of the file.
  ///
  /// - Returns: Whether there was one.
  func acceptSchema() -> Bool {
    guard case .schema(let new, let date, _) = newSchema else { return false }
    schemaVersion = new
    since = date
    newSchema = nil
    version += 1
    return true
  }

  /// Watches another copy of the file of Realm from now on, and tells it.
  ///
  /// - Throws: What reading its schema version throws.
  func turn(to copy: RealmCopy) throws {
    guard end == nil else { return }
    schemaVersion = try schemaVersionAtURL(copy.url, encryptionKey: key?.bytes)
    since = nil
    lookout.close()
    url = copy.url
    lookout = Lookout(url, key, for: .look)
    identity = FileIdentity(url)
    origin = copy.origin
    outdated = nil
    newSchema = nil
    hasLooked = false
    version += 1
    tell(.copied(version: version))
  }

  private func noteSchema(_ found: (version: UInt64, since: Date), isReplaced: Bool) {
    let event = FileEvent.schema(
      version: found.version, since: found.since, isReplaced: isReplaced)
    let isFirst = newSchema == nil
    newSchema = event
    if isFirst { tell(event) }
  }
}

/// The identity of a file, which another one at the same path has not.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil when there is no file.
  init?(_ url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
