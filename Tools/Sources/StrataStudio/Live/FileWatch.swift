package import Foundation
import Strata
import StrataStorage

/// A watcher of a file: reports all commits, whoever makes them, and the end of the file.
///
/// The file is polled five times a second: `PRAGMA data_version` takes some microseconds. Several
/// commits between two polls are one event. Realm notifications aren't used, because read-only
/// realms can't be observed, and an observation compares all objects of a class. The page compares
/// only the values that it shows.
package actor FileWatch {
  private var url: URL
  private let key: FileKey?
  private var schemaVersion: UInt64
  /// The time of the migration to the current schema version; nil until the first poll.
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
  /// The file at the start.
  private var number: FileNumber?
  /// The attributes of the file without its WAL, at the last poll.
  private var appearance: FileAppearance?
  /// Closes the connections of the other readers of the file.
  private var closeOtherReaders: @Sendable () async -> Void = {}
  /// The task that closes those connections, while it runs.
  private var closing: Task<Void, Never>?
  /// Whether a poll has succeeded: the first one doesn't know what was committed before.
  private var hasPolled = false

  /// The number of commits that were seen, plus one.
  package private(set) var version = 1

  /// The reason why the watch has ended; nil while it runs.
  package var endReason: String? {
    if case .ended(let reason) = end { reason } else { nil }
  }

  /// - Parameters:
  ///   - key: The 64 bytes of the key of an encrypted file.
  ///   - origin: The file of Realm that this file is a copy of.
  package init(
    _ url: URL, key: Data?, schemaVersion: UInt64, interval: Duration = .milliseconds(200),
    origin: RealmOrigin? = nil
  ) {
    self.url = url
    self.origin = origin
    self.key = key.map { FileKey($0) }
    self.schemaVersion = schemaVersion
    self.interval = interval
    lookout = Lookout(url, self.key, for: .inspection)
    number = FileNumber(url.path)
  }

  /// Returns a stream of future events. The stream ends after `ended`, or when its consumer stops.
  package func events() -> AsyncStream<FileEvent> {
    let (stream, continuation) = AsyncStream<FileEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(100))
    let number = nextListener
    nextListener += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    for event in missedEvents { continuation.yield(event) }
    if end != nil { continuation.finish() }
    begin()
    return stream
  }

  private func forget(_ number: Int) { listeners[number] = nil }

  /// The events that new listeners have missed: a newer schema, a changed file of Realm, or the
  /// end.
  var missedEvents: [FileEvent] { [newSchema, outdated, end].compactMap(\.self) }

  /// Starts polling.
  ///
  /// - Parameter closeOtherReaders: Closes the connections of the other readers. SQLite doesn't
  ///   notice that another file was copied over the open one.
  package func begin(lettingGo closeOtherReaders: @escaping @Sendable () async -> Void) {
    self.closeOtherReaders = closeOtherReaders
    begin()
  }

  /// Starts polling, unless the watch runs already.
  package func begin() {
    guard watching == nil, end == nil else { return }
    watching = Task { [weak self, interval] in
      while !Task.isCancelled {
        guard await self?.poll() == true else { return }
        do {
          try await Task.sleep(for: interval)
        } catch {
          return
        }
      }
    }
  }

  /// Sends an event to all listeners.
  package func send(_ event: FileEvent) {
    for listener in listeners.values { listener.yield(event) }
  }

  /// Ends the watch permanently. Listeners receive the reason.
  package func finish(_ reason: String) {
    guard end == nil else { return }
    let event = FileEvent.ended(reason: reason)
    end = event
    send(event)
    for listener in listeners.values { listener.finish() }
    listeners = [:]
    watching?.cancel()
    lookout.close()
  }

  /// Polls now. Returns false if the watch has ended.
  @discardableResult
  package func poll() async -> Bool {
    await closing?.value
    guard end == nil else { return false }
    guard FileNumber(url.path) == number else {
      finish("The file was moved or deleted.")
      return false
    }
    if let event = origin?.change?.event, event != outdated {
      outdated = event
      send(event)
    }
    do {
      // Read first, so that the next poll sees changes during this one.
      let present = FileAppearance(ofOnly: url)
      var seesCommit = try seesCommit()
      if hasPolled, !seesCommit, present != appearance {
        // After a checkpoint, or when another file was copied over this one, which SQLite doesn't
        // notice.
        await closeAll()
        guard end == nil else { return false }
        seesCommit = try self.seesCommit()
      }
      appearance = present
      if seesCommit, hasPolled {
        version += 1
        send(.commit(version: version))
      }
      hasPolled = true
    } catch {
      // The file is being replaced, or is locked for a moment. The next poll reads it again.
    }
    return true
  }

  private func closeAll() async {
    lookout.close()
    lookout = Lookout(url, key, for: .inspection)
    let closing = Task { [closeOtherReaders] in await closeOtherReaders() }
    self.closing = closing
    await closing.value
    self.closing = nil
  }

  /// Whether there is a commit in the current schema. A new schema is sent as an event.
  private func seesCommit() throws -> Bool {
    // Reads the table directly: the library would return the version at the time of its opening.
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
      if let found {
        recordSchema(found, isReplaced: !isMigrated || found.version <= schemaVersion)
      }
      return false
    }
  }

  /// Accepts the schema version to which another program has migrated the file.
  ///
  /// - Returns: Whether there was a new version.
  func acceptSchema() -> Bool {
    guard case .schema(let new, let date, _) = newSchema else { return false }
    schemaVersion = new
    since = date
    newSchema = nil
    version += 1
    return true
  }

  /// Switches to another copy of the file of Realm, and sends an event.
  func switchCopy(to copy: RealmCopy) throws {
    guard end == nil else { return }
    schemaVersion = try schemaVersionAtURL(copy.url, encryptionKey: key?.bytes)
    since = nil
    lookout.close()
    url = copy.url
    lookout = Lookout(url, key, for: .inspection)
    number = FileNumber(url.path)
    origin = copy.origin
    outdated = nil
    newSchema = nil
    hasPolled = false
    version += 1
    send(.copied(version: version))
  }

  private func recordSchema(_ found: (version: UInt64, since: Date), isReplaced: Bool) {
    let event = FileEvent.schema(
      version: found.version, since: found.since, isReplaced: isReplaced)
    let isFirst = newSchema == nil
    newSchema = event
    if isFirst { send(event) }
  }
}
