import Foundation
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@Suite("Folders of publications")
struct ReplicaFolderTests {
  private func name(_ text: String) throws -> PublicationName {
    try #require(PublicationName(text))
  }

  @Test(arguments: [
    ("000000000000001b", "000000000000001b", 1), ("000000000000001b-2", "000000000000001b", 2),
    ("20261122T200000.123456Z", "20261122T200000.123456Z", 1), ("a-1", "a-1", 1),
    ("a-02", "a-02", 1), ("a-2-3", "a-2-3", 1),
  ])
  func `Names say their place and their turn`(text: String, base: String, turn: Int) throws {
    let name = try name(text)
    expectEqual(name.base, base)
    expectEqual(name.turn, turn)
    expectEqual(name.description, text)
  }

  @Test(arguments: [
    "", ".", "..", "../a", "a/b", "/etc/passwd", "a b", "-a", ".a", "a\u{0}b", "ä", "a?immutable=0",
    String(repeating: "a", count: 101),
  ])
  func `What would lead elsewhere is no name`(text: String) {
    expectNil(PublicationName(text))
  }

  @Test func `Positions and times are names that ascend`() throws {
    expectEqual(PublicationName(position: 27).description, "000000000000001b")
    expectEqual(PublicationName(position: .max).description, "ffffffffffffffff")
    let time = Date(timeIntervalSince1970: 1_795_464_000.123456)
    expectEqual(PublicationName(time: time).description, "20261123T200000.123456Z")
  }

  @Test func `A name is never used twice, whatever is deleted`() {
    var current: PublicationName?
    var used: Set<String> = []
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      // Nothing is there any more: only the newest name is known.
      let place = PublicationName(position: UInt64.random(in: 0..<20, using: &random))
      let next = place.following(current) { _ in false }
      expectTrue(used.insert(next.description).inserted, "\(next) again")
      current = next
    }
  }

  @Test func `A file that is there is not written over`() throws {
    let first = PublicationName(position: 5)
    let second = first.following(nil) { $0 == first }
    expectEqual(second.description, "0000000000000005-2")
    let other = first.following(PublicationName(position: 4)) { $0.turn < 4 }
    expectEqual(other.description, "0000000000000005-4")
  }

  // MARK: Which of them stay

  private func entries(_ times: [Double]) -> [ReplicaFolder.Entry] {
    times.enumerated().map {
      .init(
        name: PublicationName(position: UInt64($0)),
        publishedAt: Date(timeIntervalSince1970: $1))
    }
  }

  private func superfluous(
    _ times: [Double], _ retention: PublicationRetention, at now: Double
  ) -> [Int] {
    let entries = entries(times)
    let names = retention.superfluous(
      of: entries, entries[entries.count - 1].name, at: Date(timeIntervalSince1970: now))
    return entries.indices.filter { names.contains(entries[$0].name) }
  }

  @Test func `The newest two stay, and those that were replaced a moment ago`() {
    let retention = PublicationRetention()
    expectEqual(superfluous([0, 10, 20], retention, at: 69), [])
    expectEqual(superfluous([0, 10, 20], retention, at: 70), [0])
    expectEqual(superfluous([0, 10, 20, 30], retention, at: 85), [0, 1])
    expectEqual(superfluous([0], retention, at: 1_000), [])
    expectEqual(superfluous([0, 10, 20], PublicationRetention(newest: 3), at: 1_000), [])
  }

  @Test func `An archive keeps the last one of each period`() {
    let retention = PublicationRetention(archive: .init(period: 100, age: 1_000))
    let times = [10.0, 90, 110, 150, 190, 350, 390, 400, 410]
    expectEqual(superfluous(times, retention, at: 500), [0, 2, 3, 5])
    // From before its age none stays.
    expectEqual(superfluous(times, retention, at: 1_150), [0, 1, 2, 3, 5])
    expectEqual(superfluous(times, retention, at: 2_000), [0, 1, 2, 3, 4, 5, 6])
  }

  // MARK: Writing

  @Test func `What fails leaves nothing behind, and the newest one stays`() throws {
    struct Full: Error {}
    let test = try TestReplica()
    try test.write([]) { _ in }
    let first = try test.publish()
    #expect(throws: Full.self) {
      try test.publish { part in
        try Data("half".utf8).write(to: part)
        throw Full()
      }
    }
    try expectEqual(test.fileNames, ["\(first.name).sqlite", "current", "follow"])
    try expectEqual(test.folder.currentName(), first.name)
  }

  @Test func `What a killed writer has left is removed by the next one`() throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    try test.publish()
    for name in [".0000000000000002.part", ".current.part", ".0000000000000002.part-journal"] {
      try Data().write(to: test.folder.url.appendingPathComponent(name))
    }
    // It was killed before 'current' had the name.
    let unnamed = test.folder.file(PublicationName(position: 2))
    try Data("whole".utf8).write(to: unnamed)
    let second = try test.publish(at: 2)
    expectEqual(second.name.description, "0000000000000002-2")
    try expectEqual(
      test.fileNames,
      [
        "0000000000000001.sqlite", "0000000000000002-2.sqlite", "0000000000000002.sqlite",
        "current", "follow",
      ])
    try expectEqual(Data(contentsOf: unnamed), Data("whole".utf8))
  }

  @Test func `Files that others have in the folder stay`() throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    let first = try test.publish(at: 5)
    let others = [
      "customers.sqlite", "a-2.sqlite", "0000000000000004.sqlite", ".notes.partial",
      ".customers.part", ".current.party",
    ]
    for name in others {
      let file = test.folder.url.appendingPathComponent(name)
      try Data("of others".utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
    }
    let second = try test.publish(at: 6)
    let third = try test.publish(at: 7)
    expectEqual(third.name.description, "0000000000000007")
    let later = Date(timeIntervalSinceNow: 100)
    try expectEqual(test.folder.prune(PublicationRetention(), at: later), [first.name])
    let files = others + ["\(second.name).sqlite", "\(third.name).sqlite", "current", "follow"]
    try expectEqual(test.fileNames, files.sorted())
  }

  @Test(arguments: [true, false])
  func `What is in the place of the newest name is left alone`(isLink: Bool) throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    let (folder, current) = (test.folder.url, test.folder.current)
    let release = folder.appendingPathComponent("releases/1")
    try FileManager.default.createDirectory(at: release, withIntermediateDirectories: true)
    if isLink {
      try FileManager.default.createSymbolicLink(at: current, withDestinationURL: release)
    } else {
      try FileManager.default.createDirectory(at: current, withIntermediateDirectories: false)
    }
    expectError(
      "'\(current.path)' is not a regular file, but the folder of a replica has a file of this "
        + "name: another program may use this folder. Choose another folder for the replica, or "
        + "remove 'current'.", code: .fileExists
    ) { try test.publish() }
    try expectEqual(test.fileNames, ["current", "follow", "releases"])
  }

  @Test func `Publications may not be written, and one program writes to a folder`() throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    let entry = try test.publish()
    var status = stat()
    expectEqual(stat(test.folder.file(entry.name).path, &status), 0)
    expectEqual(status.st_mode & 0o777, 0o444)
    let lock = try test.folder.lock()
    expectTrue(lock != nil)
    try expectNil(test.folder.lock())
    withExtendedLifetime(lock) {}
  }

  @Test func `Damaged names are replaced by the next publication`() throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    try test.publish(at: 7)
    try Data("../../etc/passwd\n".utf8).write(to: test.folder.current)
    expectError(
      "The replica '\(test.folder.path)' names '../../etc/passwd' as its newest version, which "
        + "isn't the name of a version. Delete the file 'current' in this folder: publishing the "
        + "next version creates it again."
    ) { try test.folder.currentName() }
    try expectEqual(test.publish(at: 7).name.description, "0000000000000007-2")
  }

  @Test func `What is known of the original is written and read as it is`() throws {
    let test = try TestReplica()
    try test.write([]) { _ in }
    try test.publish()
    var state = FollowerState(source: "s3://bucket/orders")
    expectNil(test.folder.state())
    try test.folder.write(state)
    expectEqual(test.folder.state(), state)
    state.position = "000000000000001c"
    state.sentAt = Date(timeIntervalSince1970: 1_795_464_000)
    state.problem = "The follower can't read 's3://bucket/orders': no \"bucket\""
    try test.folder.write(state)
    expectEqual(test.folder.state(), state)
    try expectEqual(
      String(contentsOf: test.folder.stateFile, encoding: .utf8),
      """
      {"checkedAt":null,"newestPosition":null,"position":"000000000000001c",\
      "problem":"The follower can't read 's3://bucket/orders': no \\"bucket\\"",\
      "publishedAt":null,"sentAt":"2026-11-23 20:00:00.000","source":"s3://bucket/orders"}

      """)
    try Data("{".utf8).write(to: test.folder.stateFile)
    expectNil(test.folder.state())
  }
}
