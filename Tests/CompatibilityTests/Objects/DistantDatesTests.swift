import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private let first = Date(timeIntervalSinceReferenceDate: -63_145_526_400)
private let last = Date(timeIntervalSinceReferenceDate: (252_423_993_600).nextDown)

private enum V0 {
  class Event: Object {
    @Persisted var name = ""
    @Persisted(indexed: true) var at = Date.distantPast
    @Persisted var until: Date?
    @Persisted var dates: List<Date>
    @Persisted var days: MutableSet<Date>
    @Persisted var byName: Map<String, Date>
    @Persisted var anything: AnyRealmValue
  }
}

private enum V1 {
  class Event: V0.Event {
    @Persisted var seen = Date.distantPast
    @Persisted var copied = Date(timeIntervalSince1970: 0)
    @Persisted var set = Date(timeIntervalSince1970: 0)
  }
}

/// The whole range of SQLite's calendar: from the first day of the year 0 to the last day of 9999.
@Suite("Dates at the ends of the calendar") struct DistantDatesTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  static let dates: [Date] = [
    first, .distantPast, .distantPast.addingTimeInterval(0.25),
    Date(timeIntervalSinceReferenceDate: -63_113_904_000), last,
  ]

  @Test(arguments: dates)
  func `Distant dates read back equal wherever they are`(date: Date) throws {
    try file.write([V0.Event.self]) { realm in
      let event = V0.Event()
      event.at = date
      event.until = date
      event.dates.append(objectsIn: [date, date])
      event.days.insert(date)
      event.byName["a"] = date
      event.anything = .date(date)
      realm.add(event)
    }
    try file.open([V0.Event.self]) { realm in
      let event = try #require(realm.objects(V0.Event.self).first)
      expectTrue(event.at == date && event.until == date && Array(event.dates) == [date, date])
      expectTrue(Array(event.days) == [date] && event.byName["a"] == date)
      expectTrue(event.anything == .date(date) && event.days.contains(date))
      expectEqual(event.dates.index(of: date), 0)
    }
  }

  @Test func `Distant dates sort as dates do, and are found`() throws {
    try file.write([V0.Event.self]) { realm in
      for date in Self.dates.reversed() { realm.create(V0.Event.self, value: ["at": date]) }
    }
    try file.open([V0.Event.self]) { realm in
      let events = realm.objects(V0.Event.self)
      expectEqual(events.sorted(byKeyPath: "at").map(\.at), Self.dates.sorted())
      expectTrue(events.min(of: \.at) == first && events.max(of: \.at) == last)
    }
  }

  @Test func `Distant dates are defaults of new properties, and values in migrations`() throws {
    try file.write([V0.Event.self]) { $0.add(V0.Event()) }
    try file.migrate([V1.Event.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Event") { old, new in
        new!["copied"] = old!["at"]
        new!["set"] = first
      }
    }
    try file.open([V1.Event.self], version: 1) { realm in
      let event = try #require(realm.objects(V1.Event.self).first)
      expectTrue(event.seen == .distantPast && event.copied == .distantPast && event.set == first)
    }
  }

  @Test func `Distant dates are set by an expression`() throws {
    try file.write([V0.Event.self]) { $0.add(V0.Event()) }
    try file.migrate([V1.Event.self], to: 1) { migration, _ in
      migration.transform(V0.Event.self, V1.Event.self) { old, new in
        new.copied = old.at
        new.set = .value(.distantPast)
      }
    }
    try file.open([V1.Event.self], version: 1) { realm in
      let event = try #require(realm.objects(V1.Event.self).first)
      expectTrue(event.copied == .distantPast && event.set == .distantPast)
    }
  }

  @Test(
    arguments: [
      first.addingTimeInterval(-0.001), Date(timeIntervalSinceReferenceDate: 252_423_993_600),
    ])
  func `Dates outside of the calendar are refused, with the range`(date: Date) throws {
    try file.open([V0.Event.self]) { realm in
      expectError(
        "The value of 'Event.at' can't be stored: dates in files are in the years "
          + "0000 to 9999. Set another value, or make the property optional and set it to nil."
      ) {
        try realm.write { realm.create(V0.Event.self, value: ["at": date]) }
      }
      expectError(containing: "in the years 0000 to 9999") {
        try realm.write { realm.create(V0.Event.self, value: ["dates": [date]]) }
      }
    }
  }
}
