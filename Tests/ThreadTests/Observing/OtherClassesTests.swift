import Dispatch
import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Another program that recreates an open file with other classes at the same schema version, or
/// restores an older copy.
@Suite struct OtherClassesTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    folder.isDamaged = true
    realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write { realm.add(Observed.person(1, "Ada")) }
  }

  /// Changes what the file says of its classes, as another program does.
  private func change(_ old: String, to new: String) throws {
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    try other.write { db in
      let schema = try String.fetchOne(db, sql: "SELECT schema FROM strata_schema_version")
      expectEqual(schema?.contains(old), true, "\(schema ?? "")")
      try db.execute(
        sql: "UPDATE strata_schema_version SET schema = replace(schema, ?, ?)",
        arguments: [old, new])
    }
    try other.close()
  }

  private static let changed =
    "Unsupported schema changes were made by another client or process: the file has other classes now "
    + "than when it was opened, at the same schema version 0. Close the realm and open it again. What "
    + "would have to be changed in the file:\n- "

  @Test(arguments: [
    (
      #""name":"name","type":"string""#, #""name":"name","type":"int""#,
      "Property 'Person.name' has been changed from 'int' to 'string'."
    ), (#""name":"Collar""#, #""name":"Ribbon""#, "Class 'Collar' has been added."),
  ])
  func `Who has the old classes hears of it, and can't write`(
    old: String, new: String, text: String
  ) throws {
    let heard = Heard<Change>()
    let token = realm.objects(Observed.Person.self).observe(on: DispatchQueue(label: "observer")) {
      heard.add(Change($0))
    }
    expectEqual(heard.wait(for: 1), [.initial(1)])
    try change(old, to: new)
    for _ in 0..<2 {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.add(Observed.person(2)) }
      }
      expectEqual(error?.code, .fail)
      let message = error?.message ?? ""
      expectTrue(message.hasPrefix(Self.changed) && message.contains(text), "\(message)")
    }
    guard case .error(let told) = heard.wait(for: 2).last else {
      Issue.record("\(heard.all)")
      return
    }
    expectTrue(told.contains(text))
    // The schema is as before again.
    try change(new, to: old)
    try realm.write { realm.add(Observed.person(2)) }
    token.invalidate()
  }

  @Test func `Classes and indexes that are added or dropped at the same version are no obstacle`()
    throws
  {
    try change(#"{"classes":["#, to: #"{"classes":[{"name":"Another","properties":[]},"#)
    try realm.write { realm.add(Observed.person(2)) }
    let heard = Heard<Change>()
    let token = realm.objects(Observed.Person.self).observe(on: DispatchQueue(label: "observer")) {
      heard.add(Change($0))
    }
    expectEqual(heard.wait(for: 1), [.initial(2)])
    try change(#"{"name":"Another","properties":[]},"#, to: "")
    try realm.write { realm.add(Observed.person(3)) }
    expectEqual(heard.wait(for: 2).last, .update(3, [], [2], []))
    token.invalidate()
  }
}
