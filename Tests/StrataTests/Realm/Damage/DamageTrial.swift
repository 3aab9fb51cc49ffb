import Foundation
import IssueReporting
import Strata
import StrataTestKit
import Synchronization
import TestKit

/// The next version of ``Full``: each kind of change of a table occurs.
enum FullNext {
  final class Thing: Object {
    @Persisted var id = ""
    @Persisted var title = ""
    @Persisted var number = 0
    @Persisted var flag: Bool?
    @Persisted var data = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var note: AnyRealmValue
    @Persisted var friend: Thing?
    @Persisted var home: Place?
    @Persisted var friends: List<Thing>
    @Persisted var places: List<Place>
    @Persisted var words: List<String?>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var notes: List<AnyRealmValue>
    @Persisted var byRole: Map<String, Thing?>
  }

  final class Place: EmbeddedObject {
    @Persisted var city: String?
    @Persisted var visits: List<Date>
  }
}

/// Does everything with a damaged file that a program may do.
struct DamageTrial {
  let seed: UInt64
  let bytes: EverythingFile.Bytes
  private(set) var failures: [String] = []
  /// How the attempts ended: an error, the right content, or another one.
  private(set) var outcomes: [String] = []
  private var text = ""

  init(seed: UInt64, _ bytes: EverythingFile.Bytes) {
    self.seed = seed
    self.bytes = bytes
  }

  mutating func run() throws {
    var random = SplitMix64(seed: seed)
    let damage = Damage.make(&random, hasLog: bytes.log != nil)
    text = damage.text
    let folder = try TestFolder()
    folder.isDamaged = true
    try bytes.write(to: folder)
    try damage.apply(folder)
    let finding = try check(folder, damage)
    try attempt("open", folder) { try Self.open($0) }
    try attempt("migrate", folder) { try Self.migrate($0) }
    if seed % 2 == 0 {
      try attempt("open read-only", folder, mayWrite: false) { copy in
        var configuration = copy.configuration(EverythingFile.types)
        configuration.readOnly = true
        return EverythingFile.text(try Realm(configuration: configuration))
      }
    } else {
      try attempt("migrate without a block", folder) { copy in
        try copy.open([FullNext.Thing.self, FullNext.Place.self], version: 1) { _ in nil }
      }
    }
    try attempt("read the version", folder, mayWrite: false) { copy in
      _ = try schemaVersionAtURL(copy.file)
      _ = try Realm.migrationHistory(at: copy.file)
      return nil
    }
    if outcomes.contains("other"), finding.isEmpty, !finding.isFine { outcomes.append("unseen") }
  }

  /// The result of a full check.
  private struct Finding {
    var isEmpty: Bool
    var isFine: Bool
  }

  // MARK: Checks

  private mutating func check(_ folder: TestFolder, _ damage: Damage) throws -> Finding {
    let before = try contents(of: folder)
    var isEmpty = false
    do {
      let problems = try Realm.problems(for: Realm.Configuration(fileURL: folder.file))
      isEmpty = problems.isEmpty
    } catch let error as Realm.Error {
      if error.message.isEmpty { failures.append("the check fails without a message") }
    }
    let after = try contents(of: folder)
    if before != after { failures.append("the check has changed the file") }
    let copy = try self.copy(of: folder)
    let isFine = Self.isFine(copy)
    if isEmpty, !isFine { failures.append("SQLite finds problems, and the check doesn't") }
    if isEmpty, damage.isFindable { failures.append("the check finds nothing") }
    return Finding(isEmpty: isEmpty, isFine: isFine)
  }

  private static func isFine(_ folder: TestFolder) -> Bool {
    do {
      return try folder.texts("PRAGMA integrity_check") == ["ok"]
    } catch {
      return false
    }
  }

  /// The bytes of the file and its WAL.
  private func contents(of folder: TestFolder) throws -> [Data?] {
    try ["", "-wal"].map { suffix in
      let path = folder.file.path + suffix
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { return nil }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return data.isEmpty ? nil : data
    }
  }

  private func copy(of folder: TestFolder) throws -> TestFolder {
    let copy = try TestFolder()
    copy.isDamaged = true
    for suffix in ["", "-wal", "-journal"]
    where FileManager.default.fileExists(atPath: folder.file.path + suffix) {
      try FileManager.default.copyItem(
        atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
    }
    return copy
  }

  // MARK: Attempts

  private mutating func attempt(
    _ name: String, _ folder: TestFolder, mayWrite: Bool = true,
    _ body: (TestFolder) throws -> [String]?
  ) throws {
    let copy = try copy(of: folder)
    do {
      // Unreadable values are reported, and read as nil.
      let content = try withIssueReporters([]) { try body(copy) }
      outcomes.append(content == nil || content == bytes.text ? "right" : "other")
    } catch let error as Realm.Error {
      outcomes.append("error")
      if error.message.isEmpty { failures.append("\(name): an error without a message") }
    } catch {
      failures.append("\(name): an error of another kind: \(error)")
    }
    guard mayWrite else { return }
    // Whoever opens it again must come to an end as well.
    do {
      _ = try withIssueReporters([]) { try body(copy) }
    } catch  where error is Realm.Error {
      outcomes.append("error again")
    }
  }

  private static func open(_ folder: TestFolder) throws -> [String] {
    try folder.open(EverythingFile.types) { realm in
      let text = EverythingFile.text(realm)
      try realm.write {
        for thing in realm.objects(Full.Thing.self) {
          thing.name += "!"
          thing.flag.toggle()
          thing.friend = thing.friends.first
          thing.words.append("more")
          thing.home = Full.Place(value: ["city": "moved"])
          thing.byRole["new"] = thing
          thing.numbers.insert(1_000)
          thing.note = .object(thing)
        }
        realm.create(Full.Thing.self, value: ["id": 1_000, "friend": ["id": 1_001]])
        if let first = realm.objects(Full.Thing.self).first { realm.delete(first) }
      }
      _ = EverythingFile.text(realm)
      return text
    }
  }

  private static func migrate(_ folder: TestFolder) throws -> [String]? {
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Thing") { old, new in
        guard let old, let new else { return }
        touchEverything(old)
        new["id"] = "\(old["id"] ?? 0) of row \(new.rowNumber)"
        new["title"] = old["name"]
        new["number"] = old["number"] ?? 7
        new["words"] = (old["words"] as? List<String>).map(Array.init)
        (new["friends"] as? List<MigrationObject>)?.append(new)
        new["home"] = ["city": "new"]
        new["note"] = new
        touchEverything(new)
      }
      migration.enumerateObjects(ofType: "Place") { old, new in
        new?["city"] = old?["city"]
      }
      migration.create("Thing", value: ["id": "created"])
    }
    try folder.open([FullNext.Thing.self, FullNext.Place.self], version: 1, block) { realm in
      for thing in realm.objects(FullNext.Thing.self) {
        for property in thing.objectSchema.properties { touch(thing[property.name]) }
      }
      try realm.write { realm.create(FullNext.Thing.self, value: ["id": "written"]) }
    }
    return nil
  }

  var description: String {
    """
    seed \(seed), \(text): \(failures.joined(separator: "; "))
    STRATA_DAMAGE_SEED=\(seed) swift test --filter DamagedFileTests
    """
  }
}

private func touchEverything(_ object: MigrationObject) {
  for property in object.objectSchema.properties { touch(object[property.name]) }
}

/// Reads a value, and each element of a collection.
private func touch(_ value: Any?) {
  guard let elements = value as? any Sequence, !(value is String) else { return }
  for element in elements { _ = element }
}

extension MigrationObject {
  /// A value that is unique for the object.
  fileprivate var rowNumber: Int { hashValue }
}

/// Ends the process when a trial takes too long, so that a hang is a failure.
final class Watchdog: Sendable {
  private let deadline = Mutex<ContinuousClock.Instant?>(nil)

  init() {
    Thread { [self] in
      while true {
        usleep(100_000)
        if let deadline = deadline.withLock({ $0 }), ContinuousClock.now > deadline {
          FileHandle.standardError.write(Data("HANGS\n".utf8))
          _exit(98)
        }
      }
    }
    .start()
  }

  func restart(seconds: Int) { deadline.withLock { $0 = .now + .seconds(seconds) } }
}
