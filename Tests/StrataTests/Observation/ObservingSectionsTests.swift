import Dispatch
import Foundation
import Strata
import Testing

/// Sections that are observed.
@Suite struct ObservingSectionsTests {
  let folder: TestFolder
  let realm: Realm
  let queue = DispatchQueue(label: "observers")
  let heard = Heard<String>()

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write {
      for (id, name) in ["Ada", "Al", "Bob", "Cy"].enumerated() {
        realm.add(Observed.person(id, name))
      }
    }
  }

  private static func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial(let collection): return "initial \(collection.count)"
    case .update(
      let collection, let deletions, let insertions, let modifications, let inserted, let deleted):
      func text(_ paths: [IndexPath]) -> String {
        paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
      }
      return "\(collection.count) -\(text(deletions)) +\(text(insertions)) ~\(text(modifications))"
        + " sections +\(inserted.map { $0 }) -\(deleted.map { $0 })"
    case .error(let error): return "\(error)"
    }
  }

  private func hear(_ body: () throws -> Void) throws -> String? {
    let before = heard.all.count
    try realm.write(body)
    return heard.wait(for: before + 1).dropFirst(before).first
  }

  private var people: SectionedResults<String, Observed.Person> {
    realm.objects(Observed.Person.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
  }

  private func person(_ name: String) throws -> Observed.Person {
    try #require(realm.objects(Observed.Person.self).where { $0.name == name }.first)
  }

  @Test func `Elements and sections come, go and change`() throws {
    let token = people.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    #expect(heard.wait(for: 1) == ["initial 3"])
    let al = try person("Al")
    #expect(try hear { al.age = 1 } == "3 - + ~0.1 sections +[] -[]")
    #expect(try hear { al.name = "Ab" } == "3 -0.1 +0.0 ~ sections +[] -[]")
    #expect(try hear { al.name = "Ca" } == "3 -0.0 +2.0 ~ sections +[] -[]")
    #expect(try hear { realm.delete(try person("Bob")) } == "2 - + ~ sections +[] -[1]")
    #expect(
      try hear { realm.add(Observed.person(9, "Bo")) } == "3 - +1.0 ~ sections +[1] -[]")
    token.invalidate()
  }

  @Test func `A section hears of its own elements`() throws {
    let section = people[0]
    let token = section.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    #expect(heard.wait(for: 1) == ["initial 2"])
    let al = try person("Al")
    try realm.write { try person("Bob").age = 2 }
    #expect(try hear { al.age = 1 } == "2 - + ~0.1 sections +[] -[]")
    #expect(try hear { al.name = "Ca" } == "1 -0.1 + ~ sections +[] -[]")
    #expect(try hear { realm.delete(try person("Ada")) } == "0 - + ~ sections +[] -[0]")
    #expect(try hear { realm.add(Observed.person(9, "Au")) } == "1 - +0.0 ~ sections +[0] -[]")
    token.invalidate()
  }

  @Test func `Sections of values are observed`() throws {
    let ada = try person("Ada")
    try realm.write { ada.numbers.append(objectsIn: [1, 2, 3, 4]) }
    let numbers = ada.numbers.sectioned(by: { $0 % 2 == 0 ? "even" : "odd" }, ascending: true)
    let token = numbers.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    let first = heard.wait(for: 1)
    #expect(first.first?.hasPrefix("initial") == true)
    #expect(try hear { ada.numbers.append(5) }?.contains("+") == true)
    token.invalidate()
  }
}
