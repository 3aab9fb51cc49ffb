package import Foundation
import GRDB

extension FileBackup {
  /// Copies a file, which may be open, to a new file, and checks the copy.
  ///
  /// - Throws: ``RealmError``, `CancellationError`, or what `progress` throws; there is no copy
  ///   then.
  package static func copy(
    _ file: URL, to target: URL, _ key: FileKey?, _ cancellation: Cancellation? = nil,
    progress: ((Double) throws -> Void)?
  ) throws {
    func failure(_ error: RealmError, _ underlying: (any Error)? = nil) -> RealmError {
      RealmError(
        error.code, "The file '\(file.path)' can't be copied to '\(target.path)': \(error.message)",
        fileURL: target, underlyingError: underlying)
    }
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
        // GRDB ignores what is thrown after the last step.
        if let refusal { throw refusal }
      }
      guard isPlaced else { throw exists }
      try PlainFile.synchronize(target.deletingLastPathComponent())
    } catch let error as CancellationError {
      throw error
    } catch {
      if let refusal { throw refusal }
      throw failure(
        (error is RealmError || error is DatabaseError)
          ? RealmError(error, at: file)
          : RealmError(FileReason.code(error), FileReason.text(error)), error)
    }
  }

  /// Copies a file of the library, which may be open, to a new one, and checks the copy.
  ///
  /// - Parameter name: The path that the copy will have, for errors; nil where that is the same.
  /// - Throws: As ``copy(_:to:_:_:progress:)``.
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
    let catalog = Catalog(items: try Catalog.readItems(db), columns: [])
    return try catalog.hasTable(VersionTable.name) && VersionTable.current(db, at: file) != nil
  }
}
