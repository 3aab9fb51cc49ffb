package import Foundation
package import GRDB

/// The copy of a file before a migration, and its restoration.
package enum FileBackup {
  /// Copies the snapshot of a connection, checks the copy, and deletes the oldest copies.
  ///
  /// - Throws: ``RealmError`` with code `fileAccess`, naming the folder, or `CancellationError`.
  package static func make(
    of file: URL, _ key: FileKey?, at version: UInt64, _ source: Database,
    _ backup: MigrationBackup,
    _ monitor: MigrationMonitor
  ) throws {
    let folder = BackupFolder(of: file, backup)
    do {
      try folder.make()
      folder.removeAbandoned()
      let target = folder.newCopy(version: version, at: Date())
      let isPlaced = try CopyDestination.fill(target) { temporary in
        try DatabaseCopy.make(
          of: source, at: temporary, like: FilePermissions(of: file), .init(key), .check,
          monitor.cancellation)
      }
      guard isPlaced else {
        throw RealmError(
          .fileAccess, "There is a file '\(target.lastPathComponent)' already.", fileURL: target)
      }
      for old in try folder.backups().dropFirst(max(1, backup.keeping)) {
        guard unlink(old.url.path) == 0 || errno == ENOENT else {
          let reason = FileReason.last
          throw RealmError(
            .fileAccess, "The old copy '\(old.url.path)' can't be deleted: \(reason)",
            fileURL: old.url)
        }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      let isFull = (error as? RealmError ?? RealmError(error, at: file)).code == .outOfDiskSpace
      throw RealmError(
        isFull ? .outOfDiskSpace : .fileAccess,
        "The file '\(file.path)' can't be copied to '\(folder.url.path)' before its migration from "
          + "version \(version): \(reason(error)) Nothing was migrated. Free some space, correct "
          + "the folder of 'migrationBackup', or set 'migrationBackup' to nil.", fileURL: file,
        underlyingError: error)
    }
  }

  // MARK: Restoring

  /// Replaces a file that is not open in this process by a copy.
  ///
  /// - Throws: ``RealmError`` or `CancellationError`; then the file is unchanged.
  package static func restore(
    _ backup: URL, to file: URL, _ key: FileKey?, _ cancellation: Cancellation? = nil
  ) throws {
    let exists = FileManager.default.fileExists(atPath: file.path)
    do {
      try refuseProtected(file)
      CopyDestination.removeAbandoned(beside: file)
      let content = try StoreFile.inspect(backup, forWriting: false)
      guard content == .database else {
        throw RealmError(.invalidDatabase, "It is empty.", fileURL: backup)
      }
      let permissions = FilePermissions(of: file) ?? FilePermissions(of: backup)
      let source = try Connections.openChecker(backup, key)
      try source.unsafeRead { source in
        // One snapshot, copied in several steps.
        try source.beginTransaction(.deferred)
        try Cancellation.watch(source, for: cancellation) {
          try DatabaseCopy.check(source, backup)
        }
        let state = try FileState.read(source, at: backup)
        guard state.version != nil else {
          throw RealmError(.invalidDatabase, ErrorText.notInitialized(backup.path))
        }
        let entered = state.history != nil ? state.version : nil
        if exists {
          try replace(file, key, by: source, like: permissions, entering: entered, cancellation)
        } else {
          try make(file, key, of: source, like: permissions, entering: entered, cancellation)
        }
        try source.rollback()
      }
      try source.close()
    } catch let error as CancellationError {
      throw error
    } catch {
      let known = known(error, file)
      let outcome =
        exists ? " The file is as it was." : known.code == .fileExists ? "" : " There is no file."
      throw RealmError(
        known.code,
        "The file '\(file.path)' can't be restored from '\(backup.path)': \(reason(error))"
          + outcome + advice(known), fileURL: file, underlyingError: error)
    }
  }

  /// Allows a damaged file that is no database, but refuses a file that may not be written.
  private static func refuseProtected(_ file: URL) throws(RealmError) {
    do throws(RealmError) {
      _ = try StoreFile.inspect(file, forWriting: true)
    } catch {
      guard error.code == .invalidDatabase else { throw error }
    }
  }

  private static func advice(_ error: RealmError) -> String {
    switch error.code {
    case _ where error.isBusy: " Another program has it in use: try again later."
    case .filePermissionDenied, .fileNotFound, .fileExists: ""
    case .outOfDiskSpace: " Free some space and try again."
    case .fileAccess: " Check the disk, and try again."
    default: " Choose another copy."
    }
  }

  /// Creates a missing file. The new file gets its name when it is complete, so that no program
  /// opens an incomplete file.
  private static func make(
    _ file: URL, _ key: FileKey?, of source: Database, like permissions: FilePermissions?,
    entering version: UInt64?, _ cancellation: Cancellation?
  ) throws {
    let isPlaced = try CopyDestination.fill(file) { temporary in
      try DatabaseCopy.make(
        of: source, at: temporary, like: permissions, .init(key), [], cancellation)
      if let version { try DatabaseCopy.recordRestoration(.copied, version, of: temporary, key) }
      try removeLog(of: file)
    }
    guard isPlaced else {
      throw RealmError(
        .fileExists,
        "A file was made there meanwhile. Remove it, or choose another name.", fileURL: file)
    }
  }

  /// Removes the WAL, which belongs to the old file, from the disk before the new file gets its
  /// name.
  private static func removeLog(of file: URL) throws {
    let companions = StoreFile.companions(of: file).filter {
      $0 != file && FileManager.default.fileExists(atPath: $0.path)
    }
    for companion in companions { try FileManager.default.removeItem(at: companion) }
    if !companions.isEmpty {
      try PlainFile.synchronizeNames(in: file.deletingLastPathComponent())
    }
  }

  /// Replaces the contents with SQLite's backup, which other processes see as one transaction.
  ///
  /// - Parameter version: The schema version for the entry in the history; nil without a history.
  private static func replace(
    _ file: URL, _ key: FileKey?, by source: Database, like permissions: FilePermissions?,
    entering version: UInt64?, _ cancellation: Cancellation?
  ) throws {
    func backUp(_ source: Database, to target: Database) throws {
      try source.backup(to: target, pagesPerStep: DatabaseCopy.pagesPerStep) { _ in
        try cancellation?.check()
      }
    }
    do {
      let target = try Connections.openWriter(file, key, busyTimeout: BusyTimeout())
      try target.writeWithoutTransaction { target in
        let size = try pageSize(target)
        if try pageSize(source) == size, version == nil {
          try backUp(source, to: target)
        } else {
          let identity = FileIdentity(of: target)
          try withCopy(of: source, key, pageSize: size, beside: file, cancellation) { copy in
            if let version {
              try copy.inTransaction(.immediate) {
                try FileOrigins.recordRestoration(.copied, of: identity, version: version, copy)
                return .commit
              }
            }
            try backUp(copy, to: target)
          }
        }
      }
      try target.close()
    } catch  where isDamage(error, file, key) {
      // The damaged file can't even be overwritten as a database.
      try exchange(file, key, by: source, like: permissions, entering: version, cancellation)
    }
  }

  private static func isDamage(_ error: any Error, _ file: URL, _ key: FileKey?) -> Bool {
    switch error {
    case let error as DatabaseError:
      [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        // The codes with which SQLCipher reports a page that it can't decrypt.
        || key != nil && [.SQLITE_ERROR, .SQLITE_NOMEM].contains(error.resultCode)
    case let error as RealmError:
      // A file that isn't encrypted may be intact.
      key != nil && error.code == .invalidDatabase && !Connections.readsWithoutKey(file)
    default: false
    }
  }

  private static func pageSize(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
  }

  /// Calls a closure with a copy that can be changed, whose page size is the file's.
  ///
  /// SQLite can't copy pages of another size into a WAL database, and the file must stay in WAL
  /// mode while another process has it open. The restoration is entered in the copy's history,
  /// because nothing can be added to the transaction of SQLite's backup. The source has been
  /// checked, so the copy isn't.
  private static func withCopy(
    of source: Database, _ key: FileKey?, pageSize: Int, beside file: URL,
    _ cancellation: Cancellation?, _ body: (Database) throws -> Void
  ) throws {
    try CopyDestination.withTemporary(beside: file) { temporary in
      try DatabaseCopy.make(
        of: source, at: temporary, like: FilePermissions(of: file), .init(key), [], cancellation)
      let queue = try Connections.openCopy(temporary, key)
      try queue.writeWithoutTransaction { copy in
        if try self.pageSize(copy) != pageSize {
          try copy.execute(sql: "PRAGMA page_size = \(pageSize)")
          try Cancellation.watch(copy, for: cancellation) { try copy.execute(sql: "VACUUM") }
        }
        try body(copy)
      }
      try queue.close()
    }
  }

  private static func exchange(
    _ file: URL, _ key: FileKey?, by source: Database, like permissions: FilePermissions?,
    entering version: UInt64?, _ cancellation: Cancellation?
  ) throws {
    try CopyDestination.withTemporary(beside: file) { temporary in
      try DatabaseCopy.make(
        of: source, at: temporary, like: permissions, .init(key), .check, cancellation)
      if let version { try DatabaseCopy.recordRestoration(.copied, version, of: temporary, key) }
      try removeLog(of: file)
      guard rename(temporary.path, file.path) == 0 else {
        throw RealmError(.fileAccess, FileReason.last, fileURL: file)
      }
      try PlainFile.synchronizeNames(in: file.deletingLastPathComponent())
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    // RealmSwift's own sentence for a folder ends without a period.
    case let error as RealmError: error.message.hasSuffix(".") ? error.message : error.message + "."
    case let error as DatabaseError: RealmError.text(of: error) + "."
    default: FileReason.text(error)
    }
  }
}

extension FileBackup {
  /// Copies a file, which may be open, to a new file, and checks the copy.
  ///
  /// - Throws: ``RealmError``, `CancellationError`, or the error of `progress`; then there is no
  ///   copy.
  package static func copy(
    _ file: URL, to target: URL, _ key: FileKey?, _ cancellation: Cancellation? = nil,
    progress: ((Double) throws -> Void)?
  ) throws {
    let exists = RealmError(
      .fileExists, "A file exists already. Delete it first, or choose another name.")
    var refusal: (any Error)?
    do {
      switch try StoreFile.inspect(file, forWriting: false) {
      case .nothing: throw RealmError(.fileNotFound, FileReason.text(ENOENT))
      case .empty: throw RealmError(.invalidDatabase, ErrorText.notInitialized(file.path))
      case .database: break
      }
      guard !FileManager.default.fileExists(atPath: target.path) else { throw exists }
      _ = try StoreFile.inspect(target, forWriting: true)
      let isPlaced = try CopyDestination.fill(target) { temporary in
        let progress = progress.map { progress in
          { (part: Double) in
            do { try progress(part) } catch {
              refusal = error
              throw error
            }
          }
        }
        try copyWhole(file, to: temporary, named: target, key, cancellation, progress: progress)
        // GRDB ignores an error that is thrown after the last step.
        if let refusal { throw refusal }
      }
      guard isPlaced else { throw exists }
    } catch let error as CancellationError {
      throw error
    } catch {
      if let refusal { throw refusal }
      let known = known(error, file)
      throw RealmError(
        known.code, "The file '\(file.path)' can't be copied to '\(target.path)': \(known.message)",
        fileURL: target, underlyingError: error)
    }
  }

  /// Returns an error of SQLite or of the file system as one of the library.
  private static func known(_ error: any Error, _ file: URL) -> RealmError {
    error is RealmError || error is DatabaseError
      ? RealmError(error, at: file) : RealmError(FileReason.code(error), FileReason.text(error))
  }

  /// Copies a file of the library, which may be open, to a new file, and checks the copy.
  ///
  /// - Parameter name: The final path of the copy, for errors; nil if it is the same.
  package static func copyWhole(
    _ file: URL, to target: URL, named name: URL? = nil, _ key: FileKey?,
    _ cancellation: Cancellation? = nil, progress: ((Double) throws -> Void)?
  ) throws {
    do {
      let source = try Connections.openChecker(file, key)
      try source.unsafeRead { source in
        try source.beginTransaction(.deferred)
        guard try hasVersion(source, file) else {
          throw RealmError(.invalidDatabase, ErrorText.notInitialized(file.path))
        }
        do {
          try DatabaseCopy.make(
            of: source, at: target, like: FilePermissions(of: file)?.writable, .init(key), .check,
            cancellation, progress: progress)
        } catch let error as DatabaseError {
          throw RealmError(error, copying: file, to: name ?? target)
        }
        try source.rollback()
      }
      try source.close()
    } catch let error as DatabaseError {
      throw RealmError(error, at: file)
    }
  }

  private static func hasVersion(_ db: Database, _ file: URL) throws -> Bool {
    let catalog = Catalog(items: try Catalog.readItems(db))
    return try catalog.hasTable(VersionTable.name) && VersionTable.current(db, at: file) != nil
  }
}
