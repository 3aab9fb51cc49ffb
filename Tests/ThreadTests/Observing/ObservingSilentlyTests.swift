import Dispatch
import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observers that a transaction doesn't notify, and that later compare with the last state they
/// know.
@Suite struct ObservingSilentlyTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write {
      for (id, name) in ["Ada", "Al", "Bob"].enumerated() {
        realm.add(Observed.person(id, name))
      }
      person(0).numbers.append(objectsIn: [5, 6])
    }
  }

  private func person(_ id: Int) -> Observed.Person {
    realm.object(ofType: Observed.Person.self, forPrimaryKey: id)!
  }

  private var people: SectionedResults<String, Observed.Person> {
    realm.objects(Observed.Person.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
  }

  private static func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
    guard
      case .update(_, let deletions, let insertions, let modifications, let new, let gone) = change
    else { return "initial" }
    func text(_ paths: [IndexPath]) -> String {
      paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
    }
    return "-\(text(deletions)) +\(text(insertions)) ~\(text(modifications)) \(Array(new)) "
      + "\(Array(gone))"
  }

  @Test func `Sections go on from a silent transaction`() throws {
    let heard = Heard<String>()
    let section = Heard<String>()
    let tokens = [
      people.observe { heard.add(Self.text($0)) }, people[0].observe { section.add(Self.text($0)) },
    ]
    realm.refresh()
    try realm.write(withoutNotifying: tokens) {
      realm.add(Observed.person(10, "0"))
      realm.add(Observed.person(11, "0"))
    }
    try realm.write { person(1).age = 1 }
    realm.refresh()
    expectEqual(heard.all, ["initial", "- + ~1.1 [] []"])
    expectEqual(section.all, ["initial", "- + ~1.1 [] []"])
    try realm.write(withoutNotifying: tokens) {
      realm.delete(person(10))
      realm.delete(person(11))
    }
    try realm.write(withoutNotifying: tokens) { realm.add(Observed.person(12, "Zoe")) }
    try realm.write { realm.delete(person(12)) }
    realm.refresh()
    expectEqual(heard.all.last, "- + ~ [] [2]")
    expectEqual(section.all.count, 2)
    for token in tokens { token.invalidate() }
  }

  @Test func `Sorted values go on from a silent transaction`() throws {
    let heard = Heard<Change>()
    let any = Heard<Change>()
    let sections = Heard<String>()
    let numbers = person(0).numbers
    let tokens = [
      numbers.sorted().observe { heard.add(Change($0)) },
      AnyRealmCollection(numbers.sorted(ascending: false)).observe { any.add(Change($0)) },
      numbers.sectioned(by: { $0 % 2 == 0 }, ascending: true)
        .observe { sections.add(Self.text($0)) },
    ]
    realm.refresh()
    try realm.write(withoutNotifying: tokens) { numbers.append(1) }
    try realm.write { numbers.append(0) }
    realm.refresh()
    expectEqual(heard.all, [.initial(2), .update(4, [], [0], [])])
    expectEqual(any.all, [.initial(2), .update(4, [], [3], [])])
    expectEqual(sections.all.count, 2)
    for token in tokens { token.invalidate() }
  }

  @Test func `What another thread writes next is told from there`() throws {
    let heard = Heard<String>()
    let token = people.observe { heard.add(Self.text($0)) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.add(Observed.person(10, "0")) }
    let configuration = folder.configuration(Observed.types)
    try inThread(configuration) { realm in
      try realm.write { realm.add(Observed.person(11, "Abe")) }
    }
    // The transaction that begins hears of it first; its own changes are silent again.
    try realm.write(withoutNotifying: [token]) { realm.delete(person(11)) }
    try realm.write { person(0).age = 9 }
    realm.refresh()
    expectEqual(heard.all, ["initial", "- +1.0 ~ [] []", "- + ~1.0 [] []"])
    token.invalidate()
  }

  @Test func `A silent transaction that fails changes nothing of that`() throws {
    let heard = Heard<String>()
    let token = people.observe { heard.add(Self.text($0)) }
    realm.refresh()
    #expect(throws: Realm.Error.self) {
      try realm.write(withoutNotifying: [token]) {
        realm.add(Observed.person(10, "0"))
        realm.add(Observed.person(1, "again"))
      }
    }
    try realm.write { person(2).age = 1 }
    realm.refresh()
    expectEqual(heard.all, ["initial", "- + ~1.0 [] []"])
    token.invalidate()
  }
}
