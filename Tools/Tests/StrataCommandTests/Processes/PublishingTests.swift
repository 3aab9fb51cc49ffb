import Foundation
import Strata
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process, with folders of replicas.
@Suite struct PublishingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  private var replica: ReplicaFolder { ReplicaFolder(folder.url("people.replica")) }

  private func pets() throws -> Int {
    let configuration = Realm.Configuration(
      replica: .init(folder: replica.url), schemaVersion: 0, objectTypes: nil)
    var dynamic = configuration
    dynamic.dynamicClasses = .all
    return try Realm(configuration: dynamic).dynamicObjects("Pet").count
  }

  @Test func `A file is published, and its next state after it`() throws {
    let published = try run("publish", "people.sqlite", "people.replica")
    expectEqual(
      published,
      Tool.Outcome(
        status: 0,
        output: "Published people.sqlite to people.replica: version 5, 45.1 kB\n", errors: ""))
    try expectEqual(pets(), 4)
    let first = try #require(try replica.currentName())
    expectTrue("\(first)".wholeMatch(of: /\d{8}T\d{6}\.\d{6}Z/) != nil)
    // Also what is in the WAL of an open file.
    let value = try folder.withOpen("people.sqlite", after: "DELETE FROM Pet WHERE _id = 1") {
      try run("publish", "people.sqlite", "people.replica", "--json").json()
    }
    expectEqual(value["schemaVersion"] as? Int, 5)
    expectEqual(value["version"] as? String, (try replica.currentName()).map { "\($0)" })
    try expectEqual(pets(), 3)
    try expectEqual(replica.entries().map(\.name).first, first)
    try expectEqual(run("publish", "people.sqlite", "people.replica", "--quiet").output, "")
  }

  @Test func `A file that may only be read is published through a link with what is in its WAL`()
    throws
  {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("link.sqlite").path, withDestinationPath: "people.sqlite")
    try FileManager.default.createDirectory(at: replica.url, withIntermediateDirectories: false)
    chmod(replica.url.path, 0o777)
    let published = try folder.withOpen("people.sqlite", after: "DELETE FROM Pet WHERE _id = 1") {
      try Tool.run(["publish", "link.sqlite", "people.replica"], in: folder, asOther: true)
    }
    expectEqual(published.status, 0, "\(published)")
    try expectEqual(pets(), 3)
  }

  @Test func `What can't be published leaves the newest version`() throws {
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 0)
    let before = try replica.currentName()
    try Data("no database".utf8).write(to: folder.url("other.sqlite"))
    try expectEqual(run("publish", "other.sqlite", "people.replica").status, 65)
    try expectEqual(run("publish", "none.sqlite", "people.replica").status, 66)
    try expectEqual(
      run("publish", "people.sqlite", "people.sqlite"),
      Tool.Outcome(
        status: 73, output: "",
        errors: """
          strata: 'people.sqlite': This is no folder. Give the path of the replica's folder, or \
          one where nothing is.

          """))
    let lock = try replica.lock()
    let busy = try run("publish", "people.sqlite", "people.replica")
    expectEqual(
      busy,
      Tool.Outcome(
        status: 75, output: "", errors: "strata: Another program follows into 'people.replica'.\n"
      ))
    withExtendedLifetime(lock) {}
    try expectEqual(replica.currentName(), before)
    try expectEqual(pets(), 4)
  }

  @Test func `A publication that fails leaves no lock`() throws {
    // A folder is where a file should be.
    let current = replica.url.appendingPathComponent("current")
    try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 73)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: replica.url.path), ["current"])
    try FileManager.default.removeItem(at: current)
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 0)
    try expectEqual(pets(), 4)
  }

  @Test func `A folder of other files keeps them`() throws {
    for name in ["orders.sqlite", "customers.sqlite", "notes.sqlite"] {
      try folder.copyFixture("PetOwners-v5", to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.url(name).path)
    }
    try expectEqual(run("publish", "people.sqlite", ".").status, 0)
    for name in ["orders.sqlite", "customers.sqlite", "notes.sqlite", "people.sqlite"] {
      expectTrue(FileManager.default.fileExists(atPath: folder.url(name).path), "\(name)")
    }
    let empty = try run("publish", "people.sqlite", "")
    expectEqual(empty.status, 64)
    expectTrue(empty.errors.contains("The path of the folder is empty."), "\(empty.errors)")
  }

  @Test func `The folder says what is in it`() throws {
    try expectEqual(run("info", ".").status, 66)
    try expectEqual(run("publish", "people.sqlite", "people.replica").status, 0)
    let name = try #require(try replica.currentName())
    var state = FollowerState(source: "s3://bucket/people")
    state.position = "\(name)"
    state.checkedAt = Date(timeIntervalSinceNow: -5)
    state.problem = "The follower can't read 's3://bucket/people': no such bucket"
    try replica.write(state)
    let info = try run("info", "people.replica")
    expectEqual(info.status, 0)
    for part in [
      "replica        people.replica\nversions kept  1\nnewest         \(name)\n",
      "source         s3://bucket/people\n", "behind         at most ",
      "problem        The follower can't read 's3://bucket/people': no such bucket\n",
      "\nfile            people.replica/\(name).sqlite\n", "schema version  5\n",
    ] { expectTrue(info.output.contains(part), "\(info.output)") }
    let value = try run("info", "people.replica", "--json").json()
    expectEqual(value["version"] as? String, "\(name)")
    expectEqual((value["newest"] as? [String: Any])?["schemaVersion"] as? Int, 5)
  }

  @Test func `An encrypted file stays one`() throws {
    guard Realm.canEncrypt else { return }
    let key = Data((0..<64).map { UInt8($0) })
    try key.write(to: folder.url("key.bin"))
    let plain = Realm.Configuration(
      fileURL: folder.url("people.sqlite"), schemaVersion: 5, objectTypes: [])
    try autoreleasepool {
      try Realm(configuration: plain)
        .writeCopy(toFile: folder.url("secret.sqlite"), encryptionKey: key)
    }
    let published = try run(
      "publish", "secret.sqlite", "people.replica", "--key-file", "key.bin")
    expectEqual(published.status, 0, "\(published.errors)")
    var configuration = Realm.Configuration(
      replica: .init(folder: replica.url), encryptionKey: key)
    configuration.dynamicClasses = .all
    try expectEqual(Realm(configuration: configuration).dynamicObjects("Pet").count, 4)
    configuration.encryptionKey = nil
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    try expectEqual(run("info", "people.replica", "--key-file", "key.bin").status, 0)
  }
}
