import Foundation
import Strata
import StrataRealmFileEncryption
import StrataRealmImport
import StrataStudio
import Synchronization

/// A file of Strata that was made of one of Realm, to look into that: in a private folder, which is
/// removed with the last reference.
///
/// Values that a file of Strata can't hold don't keep it from being made: a number that is NaN
/// becomes nil or 0, a date the nearest one inside, a text is repaired.
final class ConvertedFile: Sendable {
  let url: URL
  /// The file of Realm as it was.
  let origin: RealmOrigin
  private let folder: URL

  private static let choices: Set<ConversionChoice> = [
    .nan(.asNilOrZero), .dates(.clamped), .invalidText(.repaired), .danglingLinks(.asNil),
    .nestedCollections(.asNil), .asymmetricClasses(.leftOut), .bookkeepingClasses(.leftOut),
  ]

  /// Converts a file.
  ///
  /// - Parameter progress: Hears of each step.
  /// - Throws: ``CommandFailure`` for an encrypted file whose copy could be read by others, the
  ///   errors of converting, and `CancellationError` after Control-C.
  init(
    _ input: InputFile, progress: @escaping @Sendable (ConversionProgress) -> Void
  ) throws {
    try input.requireRealm()
    let cipher = try input.cipher()
    Self.removeStaleFolders()
    // Whatever ends the process from here on must remove the folder first.
    Interruption.listen()
    folder = try Self.makeFolder(isEncrypted: cipher != nil, input)
    url = folder.appendingPathComponent("copy.sqlite")
    let origin = Mutex(RealmOrigin(input.url))
    var conversion = RealmFileConversion.automatically(
      from: input.url, encryptionKey: cipher, choices: Self.choices, progress: progress)
    conversion.didSettle = { finding, identity in
      guard let className = finding.className, let property = finding.property else { return }
      origin.withLock {
        $0.changed.note(
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
      Self.remove(folder)
      throw error
    }
  }

  deinit { Self.remove(folder) }

  // MARK: The folder

  private static let prefix = "strata-copy-"
  /// Memory as a folder, which no disk keeps.
  private static let memory = "/dev/shm"

  /// - Throws: ``CommandFailure`` where what was encrypted would be readable on a disk.
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

  /// Removes the folders of processes that were killed.
  private static func removeStaleFolders() {
    for parent in [FileManager.default.temporaryDirectory.path, memory] {
      var names: [String] = []
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: parent)
      } catch {
        // There is no such folder.
      }
      for name in names where name.hasPrefix(prefix) {
        let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
        guard let process = Int32(number), kill(process, 0) != 0, errno == ESRCH else { continue }
        remove(URL(fileURLWithPath: "\(parent)/\(name)"))
      }
    }
  }

  private static func remove(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // The next start tries again.
    }
  }
}

extension InputFile {
  private var mayBeOfRealm: Bool {
    !isDatabase && kind != .empty && (kind != .other || key != nil)
  }

  /// The file is not one of Realm, which can't be changed; known before that is converted.
  ///
  /// - Parameter repair: Another way.
  /// - Throws: ``CommandFailure`` with code `usage`, and what a file that can't be read throws.
  func refuseRealm(_ repair: String) throws {
    guard mayBeOfRealm else { return }
    _ = try realmFile()
    throw CommandFailure(.usage, path: path, "A file of Realm is only read", repair: repair)
  }

  /// The file itself, or what was made of a file of Realm.
  ///
  /// - Throws: What looking into it throws.
  func readable(isQuiet: Bool) throws -> (input: InputFile, converted: ConvertedFile?) {
    guard mayBeOfRealm else {
      try requireDatabase()
      return (self, nil)
    }
    let bar = ProgressBar(isQuiet: isQuiet)
    defer { bar.finish() }
    let converted = try ConvertedFile(self) { progress in
      bar.show(
        ProgressLine(
          title: "Reading", fraction: progress.fractionCompleted,
          detail: progress.className ?? "indexes"))
    }
    return (try InputFile(converted.url.path), converted)
  }
}

extension RealmCopy {
  /// The copy that was made of a file of Realm, whose key reads it again.
  init(_ converted: ConvertedFile, of input: InputFile) {
    self.init(converted.url, of: converted.origin, owner: converted) { told in
      let input = try input.now()
      return RealmCopy(
        try ConvertedFile(input) { told($0.fractionCompleted) }, of: input)
    }
  }
}
