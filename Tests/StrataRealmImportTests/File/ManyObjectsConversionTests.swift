import Foundation
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// People as `FileWriter.people` writes them.
private enum Many {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }
}

/// Conversion of many objects. An optimized build with `STRATA_REALM_FILE_ROWS=1000000` measures
/// the time.
@Suite("Converting many objects", .serialized)
struct ManyObjectsConversionTests {
  private static let asked = ProcessInfo.processInfo.environment["STRATA_REALM_FILE_ROWS"]
    .flatMap { Int($0) }
  private static let count = asked ?? 20_000
  private static let passes = 5

  @Test func `Converting takes at most as long as adding objects and a fifth`() throws {
    let folder = try TestFolder()
    let old = folder.url.appendingPathComponent("old.realm")
    try Data(FileWriter.people(Self.count)).write(to: old)
    var ratios: [Double] = []
    for pass in 0..<(Self.asked == nil ? 1 : Self.passes) {
      let converted = folder.url.appendingPathComponent("converted-\(pass).sqlite")
      let added = folder.url.appendingPathComponent("added-\(pass).sqlite")
      let adding = try Self.time { try Self.add(to: added) }
      let converting = try Self.time {
        let report = try Realm.convert(realmFile: old, toFile: converted)
        expectEqual(report.written.objects, Self.count)
      }
      try Self.expectPeople(in: converted)
      ratios.append(converting / adding)
      for file in [added, converted] {
        try Realm.deleteFiles(for: Realm.Configuration(fileURL: file))
      }
    }
    guard Self.asked != nil else { return }
    let median = ratios.sorted()[ratios.count / 2]
    print("Converting \(Self.count) objects: \(median) of the time of adding them, of \(ratios)")
    expectTrue(median <= 1.2)
  }

  private static func add(to file: URL) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Many.Person.self]))
    try realm.write {
      for number in 0..<count {
        let person = Many.Person()
        person.firstName = FileWriter.firstName(number)
        person.lastName = FileWriter.lastName(number)
        person.age = Int(FileWriter.age(number))
        realm.add(person)
      }
    }
  }

  /// The processor time, in seconds: other processes may be at work.
  private static func time(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  private static func expectPeople(in file: URL) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Many.Person.self]))
    let people = realm.objects(Many.Person.self)
    expectEqual(people.count, count)
    for number in [0, 63, 64, 255, 256, count - 1] {
      expectEqual(people[number].firstName, FileWriter.firstName(number))
      expectEqual(people[number].lastName, FileWriter.lastName(number))
      expectEqual(people[number].age, Int(FileWriter.age(number)))
    }
  }
}
