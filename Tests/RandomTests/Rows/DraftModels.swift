import Strata
import TestKit

/// Classes with and without a primary key, and an embedded one, in each kind of place.
enum Drafted {
  class Root: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = "root"
    @Persisted var keyed: Keyed?
    @Persisted var plain: Plain?
    @Persisted var part: Part?
    @Persisted var keyeds: List<Keyed>
    @Persisted var plains: List<Plain>
    @Persisted var parts: List<Part>
    @Persisted var keyedSet: MutableSet<Keyed>
    @Persisted var keyedMap: Map<String, Keyed?>
    @Persisted var plainMap: Map<String, Plain?>
    @Persisted var partMap: Map<String, Part?>
    @Persisted var any: AnyRealmValue
  }

  class Keyed: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted var name = "keyed"
    @Persisted var next: Keyed?
    @Persisted var plain: Plain?
  }

  class Plain: Object {
    @Persisted var name = "plain"
    @Persisted var note = "note"
    @Persisted var keyed: Keyed?
    @Persisted var plains: List<Plain>
  }

  class Part: EmbeddedObject {
    @Persisted var name = "part"
    @Persisted var note = "note"
    @Persisted var plain: Plain?
  }

  static let types: [ObjectBase.Type] = [Root.self, Keyed.self, Plain.self, Part.self]

  enum Kind: String, CaseIterable {
    case root, keyed, plain, part
  }

  /// Where a property leads, and how: in the order in which the classes declare them.
  struct Place {
    var name: String
    var target: Kind
    var collection: Collection?
  }

  enum Collection { case list, set, map }

  static let places: [Kind: [Place]] = [
    .root: [
      Place(name: "keyed", target: .keyed), Place(name: "plain", target: .plain),
      Place(name: "part", target: .part),
      Place(name: "keyeds", target: .keyed, collection: .list),
      Place(name: "plains", target: .plain, collection: .list),
      Place(name: "parts", target: .part, collection: .list),
      Place(name: "keyedSet", target: .keyed, collection: .set),
      Place(name: "keyedMap", target: .keyed, collection: .map),
      Place(name: "plainMap", target: .plain, collection: .map),
      Place(name: "partMap", target: .part, collection: .map),
    ],
    .keyed: [Place(name: "next", target: .keyed), Place(name: "plain", target: .plain)],
    .plain: [
      Place(name: "keyed", target: .keyed),
      Place(name: "plains", target: .plain, collection: .list),
    ],
    .part: [Place(name: "plain", target: .plain)],
  ]

  static let texts: [Kind: [String]] = [
    .root: ["name"], .keyed: ["name"], .plain: ["name", "note"], .part: ["name", "note"],
  ]
}

/// A value of an object: what it gives, by the names of properties.
final class DraftedValue {
  let kind: Drafted.Kind
  var key: String?
  var texts: [String: String] = [:]
  var elements: [String: [(key: String, target: DraftedTarget)]] = [:]
  var any: Int?

  init(_ kind: Drafted.Kind) { self.kind = kind }

  /// The dictionary that says the same.
  func dictionary(_ object: (DraftedRecord) -> ObjectBase) -> [String: Any] {
    var result: [String: Any] = texts
    if let key {
      if kind == .root { result["id"] = Int(key) } else { result["key"] = key }
    }
    if let any { result["any"] = [any, ["x": any]] as [Any] }
    for place in Drafted.places[kind] ?? [] {
      guard let elements = elements[place.name] else { continue }
      let values = elements.map { ($0.key, $0.target.value(object)) }
      switch place.collection {
      case nil: result[place.name] = values.first?.1 ?? (nil as Any? as Any)
      case .list, .set: result[place.name] = values.map(\.1)
      case .map: result[place.name] = Dictionary(values.map { ($0.0, $0.1) }) { $1 }
      }
    }
    return result
  }

  /// The value as an object in no realm has it: what it doesn't give are the defaults.
  func complete() {
    for name in Drafted.texts[kind] ?? [] where texts[name] == nil {
      texts[name] = name == "name" ? kind.rawValue : name
    }
    for place in Drafted.places[kind] ?? [] {
      for case (_, .value(let value)) in elements[place.name] ?? [] { value.complete() }
      if elements[place.name] == nil { elements[place.name] = [] }
    }
    if kind == .root, any == nil { any = 0 }
  }
}

enum DraftedTarget {
  case value(DraftedValue)
  case record(DraftedRecord)

  func value(_ object: (DraftedRecord) -> ObjectBase) -> Any {
    switch self {
    case .value(let value): value.dictionary(object)
    case .record(let record): object(record)
    }
  }
}

/// An object as it is to be in the file.
final class DraftedRecord {
  let kind: Drafted.Kind
  var key: String?
  var texts: [String: String] = [:]
  var elements: [String: [(key: String, record: DraftedRecord)]] = [:]
  var any: Int?

  init(_ kind: Drafted.Kind) {
    self.kind = kind
    for name in Drafted.texts[kind] ?? [] { texts[name] = name == "name" ? kind.rawValue : name }
  }
}

/// The expected contents of the file: the rules, without rows.
struct DraftedState {
  private(set) var records: [DraftedRecord] = []

  func record(_ kind: Drafted.Kind, _ key: String?) -> DraftedRecord? {
    records.first { $0.kind == kind && key.map { Array($0.utf8) } == $0.key.map { Array($0.utf8) } }
  }

  /// Stores a value. Objects get their turn in the order in which they are met.
  mutating func store(_ root: DraftedValue, _ policy: Realm.UpdatePolicy) {
    var taken: Set<ObjectIdentifier> = []
    func name(_ value: DraftedValue) {
      for case (_, let target) in value.elements.values.joined() {
        switch target {
        case .value(let value): name(value)
        case .record(let record): taken.insert(ObjectIdentifier(record))
        }
      }
    }
    name(root)
    var queue: [(DraftedValue, DraftedRecord, isNew: Bool)] = []
    func meet(_ value: DraftedValue, _ present: DraftedRecord?) -> DraftedRecord {
      var found: DraftedRecord?
      if value.key != nil {
        found = policy == .error ? nil : record(value.kind, value.key)
      } else if policy == .modified, let present,
        taken.insert(ObjectIdentifier(present)).inserted
      {
        found = present
      }
      let record = found ?? DraftedRecord(value.kind)
      if found == nil {
        record.key = value.key
        records.append(record)
      }
      queue.append((value, record, found == nil))
      return record
    }
    _ = meet(root, nil)
    var next = 0
    while next < queue.count {
      let (value, record, _) = queue[next]
      next += 1
      record.texts.merge(value.texts) { $1 }
      if let any = value.any { record.any = any }
      for place in Drafted.places[value.kind] ?? [] {
        guard let given = value.elements[place.name] else { continue }
        let before = record.elements[place.name] ?? []
        var after: [(key: String, record: DraftedRecord)] = []
        for (position, (key, target)) in given.enumerated() {
          let present: DraftedRecord? =
            switch place.collection {
            case nil, .list: before.indices.contains(position) ? before[position].record : nil
            case .set: nil
            case .map: before.first { $0.key == key }?.record
            }
          let element: DraftedRecord =
            switch target {
            case .value(let value): meet(value, present)
            case .record(let record): record
            }
          if place.collection == .set, after.contains(where: { $0.record === element }) { continue }
          after.append((key, element))
        }
        record.elements[place.name] = after
      }
    }
  }

  /// The objects that nothing has are gone if they are embedded.
  var counts: [Drafted.Kind: Int] {
    var counts = Dictionary(grouping: records, by: \.kind).mapValues(\.count)
    counts[.part] = records.filter { $0.kind == .root }.reduce(0) { count, root in
      count + ["part", "parts", "partMap"].reduce(0) { $0 + (root.elements[$1]?.count ?? 0) }
    }
    return counts
  }
}
