import Foundation
import Observation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private final class HeardNames {
  var all: [String] = []

  func add(_ name: String) { all.append(name) }
}

/// Notifications name the changed property, for each position among 130 properties.
@Suite struct EachPropertyTests {
  private let folder: TestFolder
  private let realm: Realm
  private let broad: Broad
  private let owner: BroadOwner

  private static let names = (0..<130).map { "p\($0)" }
  /// The positions around each boundary where a number could be mistaken for another.
  private static let watched = [0, 1, 2, 62, 63, 64, 65, 66, 126, 127, 128, 129].map { "p\($0)" }

  init() throws {
    folder = try TestFolder()
    var configuration = folder.configuration(Broad.types)
    configuration.history = .init()
    realm = try Realm(configuration: configuration)
    (broad, owner) = try realm.write { [realm] in
      let broad = realm.create(Broad.self, value: ["part": [Any]()])
      let owner = realm.create(
        BroadOwner.self, value: ["broad": broad, "list": [broad], "map": ["a": broad]])
      return (broad, owner)
    }
  }

  @Test func `Observers hear of the property that was set`() throws {
    let heard = HeardNames()
    var tokens = [
      broad.observe { change in
        if case .change(_, let properties) = change {
          for property in properties { heard.add("object: \(property.name)") }
        }
      },
      realm.objects(BroadView.self)[0].observe { change in
        if case .change(_, let properties) = change {
          for property in properties { heard.add("projection: \(property.name)") }
        }
      },
    ]
    for name in Self.watched { tokens += observers(of: name, heard) }
    realm.refresh()
    let views = ["p0": "first", "p63": "middle", "p64": "next", "p129": "last"]
    for (number, name) in Self.names.enumerated() {
      heard.all = []
      try realm.write { broad[name] = number + 1 }
      realm.refresh()
      var expected = ["object: \(name)"]
      if let view = views[name] { expected.append("projection: \(view)") }
      if Self.watched.contains(name) { expected += Self.places.map { "\($0): \(name)" } }
      expectEqual(heard.all.sorted(), expected.sorted())
    }
    tokens.forEach { $0.invalidate() }
  }

  private static let places = [
    "key path", "results", "list", "through a link", "through a list", "through a map",
    "results through a link",
  ]

  private func observers(of name: String, _ heard: HeardNames) -> [NotificationToken] {
    let places = Self.places.map { "\($0): \(name)" }
    return [
      broad.observe(keyPaths: [name]) { _ in heard.add(places[0]) },
      realm.objects(Broad.self).observe(keyPaths: [name]) {
        if case .update = $0 { heard.add(places[1]) }
      },
      owner.list.observe(keyPaths: [name]) { if case .update = $0 { heard.add(places[2]) } },
      owner.observe(keyPaths: ["broad.\(name)"]) { _ in heard.add(places[3]) },
      owner.observe(keyPaths: ["list.\(name)"]) { _ in heard.add(places[4]) },
      owner.observe(keyPaths: ["map.\(name)"]) { _ in heard.add(places[5]) },
      realm.objects(BroadOwner.self).observe(keyPaths: ["broad.\(name)"]) {
        if case .update = $0 { heard.add(places[6]) }
      },
    ]
  }

  @Test func `Linking objects that are declared before a property don't count`() throws {
    let first = try realm.write {
      let first = realm.create(BroadFirst.self)
      owner.first = first
      owner.firsts.append(first)
      return first
    }
    let heard = HeardNames()
    let names = ["one", "two", "three"]
    let tokens = names.flatMap { name in
      [
        first.observe(keyPaths: [name]) { _ in heard.add("object \(name)") },
        realm.objects(BroadFirst.self).observe(keyPaths: [name]) {
          if case .update = $0 { heard.add("results \(name)") }
        },
        owner.observe(keyPaths: ["first.\(name)"]) { _ in heard.add("link \(name)") },
        owner.observe(keyPaths: ["firsts.\(name)"]) { _ in heard.add("list \(name)") },
      ]
    }
    realm.refresh()
    for name in names {
      heard.all = []
      try realm.write { first[name] = 5 }
      realm.refresh()
      expectEqual(
        heard.all.sorted(), ["link", "list", "object", "results"].map { "\($0) \(name)" })
    }
    tokens.forEach { $0.invalidate() }
  }

  @Test func `The same holds for what another program writes`() throws {
    let heard = HeardNames()
    let tokens = [
      broad.observe { change in
        if case .change(_, let properties) = change { heard.all += properties.map(\.name) }
      },
      realm.objects(Broad.self).observe(keyPaths: ["p63"]) {
        if case .update = $0 { heard.add("key path p63") }
      },
    ]
    realm.refresh()
    for name in Self.watched {
      heard.all = []
      try folder.execute("UPDATE Broad SET \(name) = \(name) + 1")
      realm.refresh()
      expectEqual(heard.all.sorted(), (name == "p63" ? ["key path p63", "p63"] : [name]))
    }
    tokens.forEach { $0.invalidate() }
  }

  @Test func `An embedded object's properties, and collections, are told by themselves`() throws {
    let heard = HeardNames()
    let part = try #require(broad.part)
    let tokens = [
      part.observe { change in
        if case .change(_, let properties) = change { heard.all += properties.map(\.name) }
      },
      broad.observe(keyPaths: ["part.p63"]) { _ in heard.add("part.p63") },
      broad.observe(keyPaths: ["numbers"]) { _ in heard.add("numbers") },
    ]
    realm.refresh()
    for number in 0..<70 {
      heard.all = []
      try realm.write { part["p\(number)"] = number + 1 }
      realm.refresh()
      expectEqual(heard.all.sorted(), (number == 63 ? ["p63", "part.p63"] : ["p\(number)"]))
    }
    heard.all = []
    try realm.write { broad.numbers.append(1) }
    realm.refresh()
    expectEqual(heard.all, ["numbers"])
    tokens.forEach { $0.invalidate() }
  }

  @Test(.needsHook) func `The history names the property`() throws {
    let token = try realm.historyToken
    for (number, name) in Self.names.enumerated() {
      try realm.write { broad[name] = number + 1 }
    }
    try realm.write {
      broad.p0 = -1; broad.p63 = -1; broad.p128 = -1
    }
    try realm.write { broad.numbers.append(1) }
    try folder.execute("UPDATE Broad SET p127 = -1")
    try folder.execute("UPDATE Broad SET p126 = -1, p2 = -1")
    let expected =
      Self.names.map { ["Broad 1 updated \($0)"] } + [
        ["Broad 1 updated p0, p63, p128"], ["Broad 1 updated numbers"], ["Broad 1 updated p127"],
        ["Broad 1 updated p2, p126"],
      ]
    try expectEqual(realm.changeTexts(after: token), expected)
  }

  @Test(.needsHook) func `Tracked reads of other properties aren't told`() throws {
    realm.tracksReads = true
    let broad = try #require(realm.objects(Broad.self).first)
    for (index, name) in Self.watched.enumerated() {
      let told = Heard<String>()
      let other = Self.watched[(index + 1) % Self.watched.count]
      withObservationTracking({ _ = broad[name] }, onChange: { told.add(name) })
      try realm.write { broad[other] = -5 - index }
      expectEqual(told.all, [])
      try realm.write { broad[name] = -100 - index }
      expectEqual(told.all, [name])
    }
  }

  @Test func `All properties are written, many rows at once and one by one`() throws {
    try realm.write {
      for _ in 0..<40 { realm.add(Broad()) }
      for (number, object) in realm.objects(Broad.self).enumerated() {
        for name in Self.names { object[name] = number * 1_000 + 7 }
      }
    }
    let sum = try folder.number("SELECT sum(p0 + p62 + p63 + p64 + p127 + p129) FROM Broad")
    expectEqual(sum, (0..<41).reduce(0) { $0 + 6 * ($1 * 1_000 + 7) })
  }
}
