import Foundation
import Observation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Observed.Person

/// Tracked reads on the main actor: observers are notified when others commit and the realm
/// advances.
@Suite(.needsHook) struct TrackingReadsOnMainTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write { realm.add(Observed.person(1, "Ada")) }
  }

  @MainActor @Test func `Who has read the new value isn't told again`() async throws {
    let realm = try Realm(configuration: folder.configuration(Observed.types))
    realm.tracksReads = true
    let ada = try #require(realm.objects(Person.self).first)
    let told = Heard<String>()
    withObservationTracking {
      _ = ada.name
    } onChange: {
      told.add("first")
    }
    try realm.write { ada.name = "Eve" }
    expectEqual(told.all, ["first"])
    withObservationTracking {
      _ = ada.name
    } onChange: {
      told.add("second")
    }
    // The turn in which the realm moves to its own version.
    await realm.asyncRefresh()
    try await Task.sleep(for: .milliseconds(50))
    expectEqual(told.all, ["first"])
    let configuration = folder.configuration(Observed.types)
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(Person.self).first?.name = "Flo" }
    }.value
    try await expectEqual(told.arrival(of: 2), ["first", "second"])
    await expectTrue(eventually { ada.name == "Flo" })
  }

  @MainActor @Test
  func `Before the realm moves, the value is the old one, and observers hear later`()
    async throws
  {
    let realm = try Realm(configuration: folder.configuration(Observed.types))
    realm.tracksReads = true
    nonisolated(unsafe) let ada = try #require(realm.objects(Person.self).first)
    let heard = Heard<String>()
    let token = ada.observe { _ in heard.add("observer \(ada.name)") }
    await realm.asyncRefresh()
    withObservationTracking {
      _ = ada.name
    } onChange: {
      heard.add("tracking \(ada.name)")
    }
    let configuration = folder.configuration(Observed.types)
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(Person.self).first?.name = "Eve" }
    }.value
    try await expectEqual(heard.arrival(of: 2), ["tracking Ada", "observer Eve"])
    token.invalidate()
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor @Test func `Observations go on from change to change`() async throws {
    let realm = try Realm(configuration: folder.configuration(Observed.types))
    realm.tracksReads = true
    let people = realm.objects(Person.self)
    let names = Observations { people.map(\.name) }
    let configuration = folder.configuration(Observed.types)
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let writer = Task.detached {
      for name in ["b", "c", "d"] {
        for await _ in turns { break }
        let realm = try await Realm.open(configuration: configuration)
        try realm.write { realm.objects(Person.self).first?.name = name }
      }
    }
    var seen: [String] = []
    for await names in names {
      seen.append(names[0])
      if names[0] == "d" { break }
      turn.yield()
    }
    expectTrue(seen.first == "Ada" && seen.last == "d")
    try await writer.value
  }
}
