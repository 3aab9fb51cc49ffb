import Foundation
import Strata
import TestKit
import Testing

/// Lists and dictionaries as the values that conditions compare with.
@Suite struct NestedConstantsTests {
  class Note: Object {
    @Persisted var id = 0
    @Persisted var value: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted var link: Note?
  }

  private let realm: Realm
  private var notes: Results<Note> { realm.objects(Note.self) }

  init() throws {
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Note.self]))
    let values: [AnyRealmValue] = [
      .fromArray([1, "two", .fromArray([3.5])]), .fromDictionary(["b": 1, "a": .none]),
      .string("[1,\"two\",[3.5]]"), .none, .fromArray([]), .fromDictionary([:]),
    ]
    try realm.write {
      for (id, value) in values.enumerated() {
        let note = Note()
        note.id = id
        note.value = value
        realm.add(note)
      }
    }
  }

  private func ids(_ notes: Results<Note>) -> [Int] { notes.map(\.id) }

  @Test func `A list or a dictionary is found by one that is equal`() {
    expectEqual(ids(notes.where { $0.value == .fromArray([1, "two", .fromArray([3.5])]) }), [0])
    expectEqual(ids(notes.where { $0.value == .fromDictionary(["a": .none, "b": 1]) }), [1])
    expectEqual(ids(notes.where { $0.value == .fromArray([]) }), [4])
    expectEqual(ids(notes.where { $0.value == .fromDictionary([:]) }), [5])
    expectEqual(ids(notes.where { $0.value != .fromArray([]) }), [0, 1, 2, 3, 5])
    expectEqual(ids(notes.where { $0.value.in([.fromArray([]), .none]) }), [3, 4])
    expectEqual(ids(notes.filter("value == %@", AnyRealmValue.fromArray([]))), [4])
    expectEqual(ids(notes.where { $0.value == .fromArray([2]) }), [])
  }

  @Test func `Objects in a list are found by their identity`() throws {
    let note = notes[0]
    try realm.write { notes[3].value = .fromArray([.object(note)]) }
    expectEqual(ids(notes.where { $0.value == .fromArray([.object(note)]) }), [3])
    expectEqual(ids(notes.where { $0.value == .fromArray([.object(notes[1])]) }), [])
    expectEqual(ids(notes.where { $0.value == .fromArray([.object(Note())]) }), [])
  }

  @Test func `Elements and values in memory are compared in the same way`() throws {
    try realm.write {
      notes[0].values.append(objectsIn: [1, .fromArray([1])])
      notes[1].values.append(.fromArray([2]))
    }
    expectEqual(ids(notes.where { $0.values.contains(.fromArray([1])) }), [0])
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [1, .fromArray([1]), .fromArray([2]), .none])
    expectEqual(list.filter("self == %@", AnyRealmValue.fromArray([2])).count, 1)
  }

  @Test func `A list has no order`() {
    expectIssue("not supported") { expectTrue(notes.where { $0.value > .fromArray([1]) }.isEmpty) }
  }

  @Test func `The query text of Realm for any element is understood`() throws {
    expectEqual(ids(notes.filter("value[%K] == 1", "#any")), [0, 1])
  }
}
