import Foundation
import GRDB
import StrataStorage
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

/// Loops over a class with properties of each kind.
@Suite struct LoopTests {
  enum Kind: String, PersistableEnum {
    case small, large
  }

  final class Event: Object {
    @Persisted var number = 0
    @Persisted var title = ""
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var kind = Kind.small
    @Persisted var ratio: Double?
    @Persisted var isOpen: Bool?
    @Persisted var id: UUID?
    @Persisted var bytes: Data?
    @Persisted var before: Event?
  }

  private static let count = 1_000

  private static func id(_ number: Int) -> UUID? {
    UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number))
  }

  private func withEvents(_ body: (TestFolder, Realm) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.open([Event.self]) { realm in
      try realm.write {
        var last: Event?
        for number in 0..<Self.count {
          let event = Event()
          event.number = number
          event.title = String(repeating: "é", count: number % 20)
          event.date = Date(timeIntervalSince1970: Double(number))
          event.kind = number.isMultiple(of: 2) ? .small : .large
          if !number.isMultiple(of: 3) {
            event.ratio = Double(number) / 3
            event.isOpen = number.isMultiple(of: 4)
            event.id = Self.id(number)
            event.bytes = Data(repeating: UInt8(number % 256), count: number % 40)
            event.before = last
          }
          realm.add(event)
          last = event
        }
      }
      try body(folder, realm)
    }
  }

  private func check(
    _ event: Event, is number: Int, _ location: SourceLocation = #_sourceLocation
  ) {
    let isFull = !number.isMultiple(of: 3)
    let isRight =
      event.number == number && event.title == String(repeating: "é", count: number % 20)
      && event.date == Date(timeIntervalSince1970: Double(number))
      && event.kind == (number.isMultiple(of: 2) ? .small : .large)
    let restIsRight =
      event.ratio == (isFull ? Double(number) / 3 : nil)
      && event.isOpen == (isFull ? number.isMultiple(of: 4) : nil)
      && event.id == (isFull ? Self.id(number) : nil)
    let bytes = Data(repeating: UInt8(number % 256), count: number % 40)
    let linksAreRight =
      event.bytes == (isFull ? bytes : nil)
      && event.before?.number == (isFull ? number - 1 : nil)
    expectTrue(isRight && restIsRight && linksAreRight, "\(event)", sourceLocation: location)
  }

  @Test func `Values of each type are those of their rows, in loops of each kind`() throws {
    try withEvents { _, realm in
      let events = realm.objects(Event.self)
      for (number, event) in events.enumerated() { check(event, is: number) }
      try realm.write { for (number, event) in events.enumerated() { check(event, is: number) } }
      let token = events.observe { _ in }
      for (number, event) in events.enumerated() { check(event, is: number) }
      token.invalidate()
      for (number, event) in realm.freeze().objects(Event.self).enumerated() {
        check(event, is: number)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 127, 128, 129])
  func `A program that keeps some objects keeps what they were`(step: Int) throws {
    try withEvents { _, realm in
      for isWriting in [false, true] {
        if isWriting { realm.beginWrite() }
        var kept: [Int: Event] = [:]
        for (number, event) in realm.objects(Event.self).enumerated() {
          if number.isMultiple(of: step) { kept[number] = event }
          // Later everything is let go of, and then everything is kept.
          if number == 400 { kept = [:] }
          if number > 700 { kept[number] = event }
        }
        for (number, event) in kept { check(event, is: number) }
        if isWriting { try realm.commitWrite() }
      }
    }
  }

  @Test func `A class with as many objects as a batch, one less and one more, has each once`()
    throws
  {
    let folder = try TestFolder()
    try folder.open([Event.self]) { realm in
      for count in [127, 128, 129, 255, 256, 257] {
        try realm.write {
          realm.deleteAll()
          for number in 0..<count { realm.create(Event.self, value: ["number": number]) }
        }
        expectEqual(realm.objects(Event.self).reduce(0) { $0 + $1.number }, count * (count - 1) / 2)
        try realm.write {
          expectEqual(
            realm.objects(Event.self).reduce(0) { $0 + $1.number }, count * (count - 1) / 2)
        }
      }
    }
  }

  @Test func `Identities at the ends of all numbers are visited`() throws {
    let folder = try TestFolder()
    try folder.open([Event.self]) { realm in
      try realm.write { realm.create(Event.self) }
      try folder.execute(
        """
        DELETE FROM Event;
        INSERT INTO Event (_id, number, title, date, kind) VALUES
          (\(Int64.min), 1, '', '1970-01-01 00:00:00.000', 'small'),
          (-5, 2, '', '1970-01-01 00:00:00.000', 'small'),
          (\(Int64.max), 3, '', '1970-01-01 00:00:00.000', 'small')
        """)
      realm.refresh()
      let events = realm.objects(Event.self)
      expectEqual(events.map(\.number), [1, 2, 3])
      expectEqual(events.where { $0.number > 1 }.map(\.number), [2, 3])
      try realm.write { expectEqual(events.map(\.number), [1, 2, 3]) }
    }
  }

  @Test func `Observers are told of a loop over a class`() throws {
    let folder = try TestFolder()
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let realm = try Realm(configuration: folder.observed(by: observer, types: [Event.self]))
    try realm.write { for _ in 0..<200 { realm.create(Event.self) } }
    expectEqual(realm.objects(Event.self).reduce(0) { count, _ in count + 1 }, 200)
    let texts = observer.lines(.query).compactMap(\.result?.statement?.sql)
    expectEqual(texts.count { $0.contains("LIMIT ?") }, 2)
  }

  @Test func `A value that can't be read is reported, and the rows behind it are shown`() throws {
    try withEvents { folder, realm in
      try folder.execute(
        "UPDATE Event SET date = 'never' WHERE number = 500; "
          + "UPDATE Event SET kind = 'huge' WHERE number = 501")
      realm.refresh()
      let reports = Mutex<[String]>([])
      withKnownIssue {
        for (number, event) in realm.objects(Event.self).enumerated() {
          expectEqual(event.number, number)
          if number == 502 { check(event, is: number) }
        }
      } matching: { issue in
        reports.withLock { $0.append(issue.description) }
        return true
      }
      let found = reports.withLock { $0 }
      expectTrue(
        found.contains {
          $0.contains("'Event.date' of the row with _id 501 holds no value of type 'date'. ")
        })
      expectTrue(
        found.contains {
          $0.contains(
            "'Event.kind' of the row with _id 502 holds nothing of which its Swift type makes a value. "
          )
        })
    }
  }

  @Test func `A statement that is given no new values fails`() throws {
    try withEvents { _, realm in
      let error = #expect(throws: DatabaseError.self) {
        try realm.withDatabase { db in
          _ = try Row.fetchAll(db, sql: "SELECT strata_new_value(NULL, 1, 0)")
        }
      }
      expectEqual(error?.message, "New values need a source.")
    }
  }
}
