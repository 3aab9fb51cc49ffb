import Foundation
import GRDB
import Strata
import StrataSchema
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process, with replicas that become the primary.
@Suite struct PromotingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 0)
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  private var replica: ReplicaFolder { ReplicaFolder(folder.url("people.replica")) }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url(name).path)
  }

  private func refusal(_ outcome: Tool.Outcome) -> String {
    expectEqual(outcome.output, "")
    return outcome.errors
  }

  @Test func `A replica becomes a file that is written, and the former primary is refused`() throws
  {
    let outcome = try run("promote", "people.replica", "new.sqlite")
    expectEqual(
      outcome,
      Tool.Outcome(
        status: 0,
        output: """
          Promoted people.replica to new.sqlite: version 5, 49.2 kB
          Lost: whatever the former primary committed after that version

          """, errors: ""))
    let row = try folder.sql("new.sqlite") { db in
      try Row.fetchOne(db, sql: "SELECT kind, position FROM strata_origin")
    }
    expectEqual(row, ["kind": "promoted", "position": 0])
    try folder.execute("DELETE FROM Pet WHERE _id = 1", in: "new.sqlite")
    var configuration = Realm.Configuration(fileURL: folder.url("new.sqlite"))
    configuration.dynamicClasses = .all
    try expectEqual(Realm(configuration: configuration).dynamicObjects("Pet").count, 3)
    // A second folder learns of it from the new primary's first version.
    for name in ["people.replica", "other.replica"] {
      if name == "other.replica" {
        try expectEqual(run("publish", "people.sqlite", name).status, 0)
      }
      try expectEqual(run("publish", "new.sqlite", name).status, 0)
      let current = try ReplicaFolder(folder.url(name)).currentName()
      let refused = try run("publish", "people.sqlite", name)
      expectEqual(refused.status, 65)
      expectTrue(
        refused.errors.wholeMatch(
          of:
            /strata: The replica '.*' doesn't show the file of a former primary: on .* UTC .*\. Follow that one, or delete '.*promoted' to accept any version\.\n/
        ) != nil, "\(refused.errors)")
      expectEqual(
        refused.errors.contains("this replica was promoted to '"), name == "people.replica")
      try expectEqual(ReplicaFolder(folder.url(name)).currentName(), current)
    }
    // Then it shows the new primary, and may be promoted again.
    try expectEqual(run("promote", "people.replica", "third.sqlite").status, 0)
    try expectEqual(run("promote", "other.replica", "fourth.sqlite").status, 0)
  }

  @Test func `A folder is promoted once`() throws {
    try expectEqual(run("promote", "people.replica", "new.sqlite", "--quiet").output, "")
    let again = try run("promote", "people.replica", "second.sqlite")
    expectEqual(again.status, 73)
    expectTrue(
      refusal(again).wholeMatch(
        of:
          /strata: 'people.replica': The replica was promoted to '.*new.sqlite' on .* UTC already\. Use that file, or promote this replica as well with '--force': two primaries lose data\.\n/
      ) != nil, "\(again.errors)")
    expectFalse(exists("second.sqlite"))
    try FileManager.default.removeItem(at: folder.url("new.sqlite"))
    let gone = try run("promote", "people.replica", "second.sqlite")
    expectEqual(gone.status, 73)
    expectTrue(
      gone.errors.contains(
        "which isn't there. If it was never used, promote the replica again with '--force'."),
      "\(gone.errors)")
    try expectEqual(run("promote", "people.replica", "second.sqlite", "--force").status, 0)
    // Now the second one is the primary.
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 65)
    try expectEqual(run("publish", "second.sqlite", "people.replica").status, 0)
    let info = try run("info", "people.replica").output
    expectTrue(info.contains("\npromoted       "), "\(info)")
  }

  @Test func `Transactions that the follower knows aren't lost without a word`() throws {
    // A version by Litestream's number.
    let source = folder.url("people.sqlite")
    let entry = try replica.publish(PublicationName(position: 27)) {
      try FileBackup.copyWhole(source, to: $0, nil, progress: nil)
    }
    var state = FollowerState(source: "s3://bucket/people")
    state.position = "\(entry.name)"
    state.newestPosition = "000000000000001e"
    state.sentAt = Date(timeIntervalSince1970: 1_795_464_000)
    state.checkedAt = Date(timeIntervalSince1970: 1_795_464_010)
    try replica.write(state)
    let refused = try run("promote", "people.replica", "new.sqlite")
    expectEqual(
      refused,
      Tool.Outcome(
        status: 75, output: "",
        errors: """
          strata: 'people.replica': The follower knows of 3 transactions that the newest version lacks. \
          Wait until 'strata follow' has caught up, or lose them with '--force'.

          """))
    try expectNil(replica.promotion())
    let forced = try run("promote", "people.replica", "new.sqlite", "--force")
    expectEqual(
      forced.output,
      """
      Promoted people.replica to new.sqlite: version 5, 49.2 kB
      Its newest transaction was sent on 2026-11-23 20:00:00 UTC
      Lost: whatever the former primary committed after 2026-11-23 20:00:10 UTC
      Lost by '--force': 3 transactions that the follower knows

      """)
    let value = try run("promote", "people.replica", "json.sqlite", "--force", "--json").json()
    expectEqual(value["missingTransactions"] as? Int, 3)
    expectEqual(value["version"] as? String, "\(entry.name)")
    let mark = try replica.promotion()?.mark
    expectEqual(value["origin"] as? String, mark.map(HistoryToken.text))
  }

  @Test func `Whatever prevents a promotion leaves the folder as it was`() throws {
    do {
      let lock = try replica.lock()
      try expectEqual(run("promote", "people.replica", "new.sqlite").status, 75)
      withExtendedLifetime(lock) {}
    }
    try expectEqual(
      run("promote", "none.replica", "new.sqlite"),
      Tool.Outcome(
        status: 66, output: "",
        errors: """
          strata: 'none.replica': There is no version in this replica. Let 'strata follow' publish one, \
          or correct the path.

          """))
    expectFalse(exists("none.replica"))
    let taken = try run("promote", "people.replica", "people.sqlite")
    expectEqual(
      taken.errors,
      "strata: 'people.sqlite': There is a file already. Delete it first, or choose another name.\n"
    )
    expectEqual(taken.status, 73)
    try expectEqual(run("promote", "people.replica", "none/new.sqlite").status, 73)
    let key = Data((0..<64).map { UInt8($0) })
    try key.write(to: folder.url("key.bin"))
    try expectEqual(
      run("promote", "people.replica", "new.sqlite", "--key-file", "key.bin").status, 65)
    try Data("{".utf8).write(to: replica.promotionFile)
    let unreadable = try run("promote", "people.replica", "new.sqlite")
    expectEqual(unreadable.status, 65)
    expectTrue(
      unreadable.errors.contains("it names the promotion that newer versions must contain."),
      "\(unreadable.errors)")
    try FileManager.default.removeItem(at: replica.promotionFile)
    let newest = try replica.newest().url
    chmod(newest.path, 0o600)
    try Data("no database".utf8).write(to: newest)
    try expectEqual(run("promote", "people.replica", "new.sqlite").status, 65)
    try expectNil(replica.promotion())
    expectFalse(exists("new.sqlite"))
  }

  @Test func `An encrypted replica becomes an encrypted file`() throws {
    guard Realm.canEncrypt else { return }
    let key = Data((0..<64).map { UInt8($0) })
    try key.write(to: folder.url("key.bin"))
    let plain = Realm.Configuration(
      fileURL: folder.url("people.sqlite"), schemaVersion: 5, objectTypes: [])
    try autoreleasepool {
      try Realm(configuration: plain)
        .writeCopy(toFile: folder.url("secret.sqlite"), encryptionKey: key)
    }
    let options = ["--key-file", "key.bin"]
    try expectEqual(
      Tool.run(["publish", "secret.sqlite", "secret.replica"] + options, in: folder).status, 0)
    try expectEqual(run("promote", "secret.replica", "new.sqlite").status, 65)
    let promoted = try Tool.run(
      ["promote", "secret.replica", "new.sqlite"] + options, in: folder)
    expectEqual(promoted.status, 0, "\(promoted.errors)")
    try expectEqual(run("info", "new.sqlite").status, 65)
    try expectEqual(Tool.run(["info", "new.sqlite"] + options, in: folder).status, 0)
    // The fence reads it with the key.
    try expectEqual(
      Tool.run(["publish", "new.sqlite", "secret.replica"] + options, in: folder).status, 0)
    try expectEqual(
      Tool.run(["publish", "secret.sqlite", "secret.replica"] + options, in: folder).status, 65)
  }

  // MARK: Values

  @Test(arguments: [
    ("000000000000001b", "000000000000001b", 0), ("000000000000001b", "000000000000001c", 1),
    ("000000000000001c-2", "000000000000001b", 0),
    ("20261122T200000.123456Z", "000000000000001b", 0),
    ("000000000000001b", "text", 0),
  ])
  func `What is missing is counted by Litestream's numbers`(
    version: String, newest: String, count: UInt64
  ) throws {
    var state = FollowerState(source: "file:///replica")
    state.position = version
    state.newestPosition = newest
    let check = PromotionCheck(
      version: try #require(PublicationName(version)), state: state, known: nil, promotions: [])
    expectEqual(check.missingTransactions, count)
    expectEqual(check.obstacles, count > 0 ? [.behind(count)] : [])
  }

  @Test func `A promotion before stands in the way until its file is followed`() throws {
    // A follower of another source says nothing about the version.
    var other = FollowerState(source: "file:///other")
    other.newestPosition = "00000000000000ff"
    let unknown = PromotionCheck(
      version: PublicationName(position: 1), state: other, known: nil, promotions: [])
    expectEqual(unknown.obstacles, [.isUnknown])
    expectEqual(unknown.missingTransactions, 0)
    let known = PromotionRecord(mark: 7, file: "/data/orders.sqlite")
    var check = PromotionCheck(
      version: PublicationName(position: 1), state: nil, known: known, promotions: [])
    expectEqual(check.obstacles, [.isPromoted(known)])
    check.promotions = [3, 7, 9]
    expectEqual(check.obstacles, [])
    check.known = nil
    check.promotions = []
    expectEqual(check.obstacles, [])
  }
}
