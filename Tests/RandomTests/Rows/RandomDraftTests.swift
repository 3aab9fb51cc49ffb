import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Values of object graphs that are stored with each policy, compared with a model of the rules.
@Suite struct RandomDraftTests {
  private static let seeds: ClosedRange<UInt64> =
    ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all" ? 1...400 : 1...10

  @Test(arguments: seeds)
  func `Stored values follow the rules, and storing them again changes nothing`(seed: UInt64) throws
  {
    let folder = try TestFolder()
    var run = try DraftRun(seed: seed, folder)
    for step in 0..<25 { try run.step("seed \(seed), step \(step)") }
  }

  @Test(arguments: seeds)
  func `A migration makes of values the objects that a transaction makes of them`(seed: UInt64)
    throws
  {
    let folder = try TestFolder()
    var run = try DraftRun(seed: seed, folder)
    nonisolated(unsafe) let values = run.newValues(count: 8)
    try run.realm.write {
      for (index, value) in values.enumerated() {
        if (Int(seed) + index) % 4 == 1 {
          run.realm.add(value.object())
        } else {
          run.realm.create(Drafted.Root.self, value: value.plain)
        }
      }
    }
    let migrated = try TestFolder()
    try migrated.open(Drafted.types) { _ in }
    let block: MigrationBlock = { migration, _ in
      for (index, value) in values.enumerated() {
        switch (Int(seed) + index) % 4 {
        case 0: migration.create("Root", value: value.plain)
        case 1: migration.create("Root", value: value.object())
        case 2: migration.create(Drafted.Root.self, value: value.plain)
        default:
          let object = migration.create("Root", value: ["id": value.plain["id"]!])
          for (name, value) in value.plain where name != "id" { object[name] = value }
        }
      }
    }
    try migrated.open(Drafted.types, version: 1, block) { realm in
      expectEqual(texts(realm), texts(run.realm), "seed \(seed)")
      for type in ["Plain", "Part"] {
        let count = try migrated.count(of: type)
        let expected = try folder.count(of: type)
        expectEqual(count, expected, "seed \(seed), \(type)")
      }
    }
  }

  private func texts(_ realm: Realm) -> [String] {
    realm.objects(Drafted.Root.self).map { root in
      var text = DraftedText()
      text.write(root)
      return text.text
    }
  }
}

extension DraftedValue {
  /// The dictionary of a value that leads to no object of a file.
  fileprivate var plain: [String: Any] {
    dictionary { _ in fatalError("The value leads to an object of a file.") }
  }

  /// An object in no realm, some of whose objects are at two places.
  fileprivate func object() -> Drafted.Root {
    let root = Drafted.Root(value: plain)
    guard let plain = root.plain else { return root }
    root.plains.append(plain)
    plain.plains.append(plain)
    root.part?.plain = plain
    return root
  }
}

private struct DraftRun {
  private let folder: TestFolder
  let realm: Realm
  private var random: SplitMix64
  private var state = DraftedState()
  private var steps = 0

  init(seed: UInt64, _ folder: TestFolder) throws {
    random = SplitMix64(seed: seed)
    self.folder = folder
    realm = try Realm(configuration: folder.configuration(Drafted.types))
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func isOne(in count: Int) -> Bool { number(count) == 0 }

  mutating func step(_ name: String) throws {
    steps += 1
    let policy = [Realm.UpdatePolicy.modified, .modified, .all, .error][number(4)]
    let isNew = policy == .error
    let root = value(.root, depth: 0, hasKeys: !isNew)
    root.key = isNew ? "\(100 + steps)" : "\(number(3))"
    let isAdded = isOne(in: 2)
    if isAdded { root.complete() }
    let objects = found(in: root)
    try store(root, policy, isAdded, objects)
    state.store(root, policy)
    try compare("\(name), \(policy), added: \(isAdded)")
    guard policy == .modified else { return }
    var heard = 0
    let tokens = [
      realm.objects(Drafted.Root.self).observe { if case .update = $0 { heard += 1 } },
      realm.objects(Drafted.Keyed.self).observe { if case .update = $0 { heard += 1 } },
      realm.objects(Drafted.Plain.self).observe { if case .update = $0 { heard += 1 } },
    ]
    realm.refresh()
    try store(root, policy, isAdded, objects)
    realm.refresh()
    expectEqual(heard, 0, "\(name), again, added: \(isAdded)")
    tokens.forEach { $0.invalidate() }
    try compare("\(name), again")
  }

  /// Values of objects that are all new.
  mutating func newValues(count: Int) -> [DraftedValue] {
    (0..<count).map { index in
      let root = value(.root, depth: 0, hasKeys: false)
      root.key = "\(index)"
      return root
    }
  }

  private func store(
    _ root: DraftedValue, _ policy: Realm.UpdatePolicy, _ isAdded: Bool,
    _ objects: [ObjectIdentifier: ObjectBase]
  ) throws {
    try realm.write {
      let value = root.dictionary { objects[ObjectIdentifier($0)]! }
      if isAdded {
        realm.add(Drafted.Root(value: value), update: policy)
      } else {
        realm.create(Drafted.Root.self, value: value, update: policy)
      }
    }
  }

  // MARK: Values

  private mutating func value(
    _ kind: Drafted.Kind, depth: Int, hasKeys: Bool
  ) -> DraftedValue {
    let value = DraftedValue(kind)
    if kind == .keyed {
      value.key = ["a", "é", "e\u{301}", "b"][number(4)]
      // Given twice in one value it is the same.
      value.texts["name"] = "\(value.key ?? "") \(steps)"
      return value
    }
    for name in Drafted.texts[kind] ?? [] where isOne(in: 2) { value.texts[name] = "\(number(9))" }
    if kind == .root, isOne(in: 2) { value.any = number(3) }
    for place in Drafted.places[kind] ?? [] {
      guard depth < 3, isOne(in: 2), hasKeys || place.target != .keyed else { continue }
      let count = place.collection == nil ? 1 : number(4)
      var keys = ["a", "b", "é", "z"].shuffled(using: &random)
      value.elements[place.name] = (0..<count).map { _ in
        (
          place.collection == .map ? keys.removeLast() : "",
          target(place.target, depth: depth + 1, hasKeys: hasKeys)
        )
      }
    }
    return value
  }

  private mutating func target(
    _ kind: Drafted.Kind, depth: Int, hasKeys: Bool
  ) -> DraftedTarget {
    if kind == .plain, isOne(in: 5) {
      let records = state.records.filter { $0.kind == .plain && path(of: $0) != nil }
      if !records.isEmpty { return .record(records[number(records.count)]) }
    }
    return .value(value(kind, depth: depth, hasKeys: hasKeys))
  }

  // MARK: Objects of the file

  /// A place of a root where an object is.
  private func path(of record: DraftedRecord) -> (root: DraftedRecord, name: String, index: Int)? {
    for root in state.records where root.kind == .root {
      for name in ["plain", "plains"] {
        let index = root.elements[name]?.firstIndex { $0.record === record }
        if let index { return (root, name, index) }
      }
    }
    return nil
  }

  private func found(in value: DraftedValue) -> [ObjectIdentifier: ObjectBase] {
    var objects: [ObjectIdentifier: ObjectBase] = [:]
    for (_, target) in value.elements.values.joined() {
      switch target {
      case .value(let value): objects.merge(found(in: value)) { first, _ in first }
      case .record(let record):
        guard let (root, name, index) = path(of: record) else { continue }
        let object = realm.object(
          ofType: Drafted.Root.self, forPrimaryKey: Int(root.key ?? "") ?? -1)
        objects[ObjectIdentifier(record)] = name == "plain" ? object?.plain : object?.plains[index]
      }
    }
    return objects
  }

  // MARK: Comparing

  private func compare(_ name: String) throws {
    let counts = state.counts
    expectEqual(realm.objects(Drafted.Root.self).count, counts[.root] ?? 0, "roots, \(name)")
    expectEqual(realm.objects(Drafted.Keyed.self).count, counts[.keyed] ?? 0, "keyed, \(name)")
    expectEqual(realm.objects(Drafted.Plain.self).count, counts[.plain] ?? 0, "plain, \(name)")
    let parts = try folder.count(of: "Part")
    expectEqual(parts, counts[.part] ?? 0, "parts, \(name)")
    for object in realm.objects(Drafted.Root.self) {
      var (shown, expected) = (DraftedText(), DraftedText())
      shown.write(object)
      state.record(.root, "\(object.id)").map { expected.write($0) }
      expectEqual(shown.text, expected.text, "\(name)")
    }
  }
}

/// An object with all that it leads to, each with a number when it is met: what is there twice
/// shows.
private struct DraftedText {
  private(set) var text = ""
  private var numbers: [ObjectBase: Int] = [:]
  private var recordNumbers: [ObjectIdentifier: Int] = [:]

  mutating func write(_ record: DraftedRecord) {
    if let number = recordNumbers[ObjectIdentifier(record)] { return text += "#\(number)" }
    recordNumbers[ObjectIdentifier(record)] = recordNumbers.count
    text += "\(record.kind)(\(record.key ?? "")"
    for name in Drafted.texts[record.kind] ?? [] { text += " \(record.texts[name] ?? "")" }
    if record.kind == .root { text += " any \(record.any ?? 0)" }
    for place in Drafted.places[record.kind] ?? [] {
      var elements = record.elements[place.name] ?? []
      if place.collection == .map { elements.sort { $0.key < $1.key } }
      if place.collection == .set { elements.sort { Self.precedes($0.record.key, $1.record.key) } }
      text += " \(place.name)["
      for (key, element) in elements {
        text += "\(key):"
        write(element)
        text += " "
      }
      text += "]"
    }
    text += ")"
  }

  private static func precedes(_ first: String?, _ second: String?) -> Bool {
    (first ?? "").utf8.lexicographicallyPrecedes((second ?? "").utf8)
  }

  mutating func write(_ object: ObjectBase) {
    if let number = numbers[object] { return text += "#\(number)" }
    numbers[object] = numbers.count
    let kind = Drafted.Kind(rawValue: "\(type(of: object).className())".lowercased()) ?? .root
    let key = (object as? Drafted.Root).map { "\($0.id)" } ?? (object as? Drafted.Keyed)?.key
    text += "\(kind)(\(key ?? "")"
    for name in Drafted.texts[kind] ?? [] { text += " \(object[name] as? String ?? "")" }
    if let root = object as? Drafted.Root {
      text += " any \(root.any.listValue?[0].intValue ?? 0)"
    }
    for place in Drafted.places[kind] ?? [] {
      text += " \(place.name)["
      for (key, element) in elements(of: object, place) {
        text += "\(key):"
        write(element)
        text += " "
      }
      text += "]"
    }
    text += ")"
  }

  private func elements(
    of object: ObjectBase, _ place: Drafted.Place
  ) -> [(String, ObjectBase)] {
    func list<T: ObjectBase>(_: T.Type) -> [(String, ObjectBase)] {
      switch object[place.name] {
      case let list as List<T>: list.map { ("", $0) }
      case let set as MutableSet<T>:
        set.sorted {
          Self.precedes(($0 as? Drafted.Keyed)?.key, ($1 as? Drafted.Keyed)?.key)
        }.map { ("", $0) }
      case let map as Map<String, T?>:
        map.compactMap { entry in entry.value.map { (entry.key, $0) } }
      case let object as T: [("", object)]
      default: []
      }
    }
    return switch place.target {
    case .root: list(Drafted.Root.self)
    case .keyed: list(Drafted.Keyed.self)
    case .plain: list(Drafted.Plain.self)
    case .part: list(Drafted.Part.self)
    }
  }
}
