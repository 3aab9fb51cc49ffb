import Foundation
import Strata
import StrataRealmFileEncryption
import StrataRealmImport
import StrataStudio
import Synchronization

/// A file of Strata that was converted from a file of Realm, in a private folder. The folder is
/// deleted when the object is released.
///
/// Values that Strata can't hold are changed, so that every file can be shown: NaN becomes nil or
/// 0, a date is clamped to the valid range, and invalid text is repaired.
final class ConvertedFile: Sendable {
  let url: URL
  /// The file of Realm at the time of the conversion.
  let origin: RealmOrigin
  private let folder: URL

  private static let choices: Set<ConversionChoice> = [
    .nan(.asNilOrZero), .dates(.clamped), .invalidText(.repaired), .danglingLinks(.asNil),
    .nestedCollections(.asNil), .asymmetricClasses(.leftOut), .bookkeepingClasses(.leftOut),
  ]

  /// Converts a file.
  ///
  /// - Parameter progress: Called after each step.
  /// - Throws: ``CommandFailure`` if other users could read the copy of an encrypted file, the
  ///   errors of the conversion, and `CancellationError` after Control-C.
  init(
    _ input: InputFile, progress: @escaping @Sendable (ConversionProgress) -> Void
  ) throws {
    try input.requireRealm()
    let cipher = try input.cipher()
    for parent in [FileManager.default.temporaryDirectory.path, Self.memory] {
      PrivateFolder.removeStaleFolders(in: parent, Self.prefix)
    }
    // From here on, Control-C must delete the folder before the process ends.
    Interruption.listen()
    folder = try Self.makeFolder(isEncrypted: cipher != nil, input)
    url = folder.appendingPathComponent("copy.sqlite")
    let origin = Mutex(RealmOrigin(input.url))
    var conversion = RealmFileConversion.automatically(
      from: input.url, encryptionKey: cipher, choices: Self.choices, progress: progress)
    conversion.didSettle = { finding, identity in
      guard let className = finding.className, let property = finding.property else { return }
      origin.withLock {
        $0.changed.record(
          finding.text, className: className, property: property, identity: identity)
      }
    }
    do {
      let report = try Realm.convert(conversion, toFile: url, nil, Interruption.cancellation)
      self.origin = origin.withLock { origin in
        origin.differences = report.findings.count
        origin.others = report.findings.listed.filter { $0.objectKey == nil }.map(\.description)
        return origin
      }
    } catch {
      PrivateFolder.removeIfAllowed(folder.path)
      throw error
    }
  }

  deinit { PrivateFolder.removeIfAllowed(folder.path) }

  // MARK: The folder

  private static let prefix = "strata-copy-"
  /// A folder in memory, which never reaches a disk.
  private static let memory = "/dev/shm"

  /// - Throws: ``CommandFailure`` if decrypted data would be written to a disk.
  private static func makeFolder(isEncrypted: Bool, _ input: InputFile) throws -> URL {
    var parent = FileManager.default.temporaryDirectory.path
    if isEncrypted {
      guard FileManager.default.isWritableFile(atPath: memory) else {
        throw input.failure(
          "The copy of an encrypted file would be readable on the disk",
          "Make an encrypted file of it with 'strata convert --new-key-file', on a 'strata' with SQLCipher."
        )
      }
      parent = memory
    }
    var template = Array("\(parent)/\(prefix)\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .cannotCreate, path: parent, "No folder can be made there",
        repair: "Set TMPDIR to a folder that can be written.")
    }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return URL(fileURLWithPath: path, isDirectory: true)
  }
}

extension InputFile {
  private var isPossiblyOfRealm: Bool {
    !isDatabase && kind != .empty && (kind != .other || key != nil)
  }

  /// Refuses a file of Realm, which can't be changed, before it is converted.
  ///
  /// - Parameter repair: What the user can do instead.
  /// - Throws: ``CommandFailure`` with status `usage` for a file of Realm, and the errors of
  ///   reading it.
  func refuseRealm(_ repair: String) throws {
    guard isPossiblyOfRealm else { return }
    _ = try realmFile()
    throw CommandFailure(.usage, path: path, "A file of Realm is only read", repair: repair)
  }

  /// Returns the file itself, or the copy that was converted from a file of Realm.
  func readable(isQuiet: Bool) throws -> (input: InputFile, converted: ConvertedFile?) {
    guard isPossiblyOfRealm else {
      try requireDatabase()
      return (self, nil)
    }
    let bar = ProgressBar(isQuiet: isQuiet)
    defer { bar.finish() }
    let converted = try ConvertedFile(self) { progress in
      bar.show("Reading", progress.fractionCompleted, detail: progress.className ?? "indexes")
    }
    return (try InputFile(converted.url.path), converted)
  }
}

extension RealmCopy {
  /// The converted copy of a file of Realm, which is converted again with the same key.
  init(_ converted: ConvertedFile, of input: InputFile) {
    self.init(converted.url, of: converted.origin, owner: converted) { told in
      let input = try input.now()
      return RealmCopy(
        try ConvertedFile(input) { told($0.fractionCompleted) }, of: input)
    }
  }
}
