import TestKit
import Testing

@testable import StrataQuery

@Suite struct SectionDifferenceTests {
  private func paths(_ paths: (Int, Int)...) -> [SectionPath] {
    paths.map { SectionPath(section: $0.0, item: $0.1) }
  }

  @Test func `A section with its only element comes and goes`() {
    let difference = SectionDifference(
      old: ["a", "b"], new: ["b", "c"], changes: ChangeSet(deletions: [0], insertions: [1]))
    expectEqual(difference.sectionsToDelete, [0])
    expectEqual(difference.sectionsToInsert, [1])
    expectEqual(difference.deletions, [])
    expectEqual(difference.insertions, paths((1, 0)))
  }

  @Test func `Places are counted within sections`() {
    let difference = SectionDifference(
      old: ["a", "a", "b", "b"], new: ["a", "b", "b", "b"],
      changes: ChangeSet(deletions: [1], insertions: [3], modifications: [0, 3]))
    expectEqual(difference.deletions, paths((0, 1)))
    expectEqual(difference.insertions, paths((1, 2)))
    expectEqual(difference.modifications, paths((0, 0), (1, 1)))
    expectTrue(difference.sectionsToDelete == [] && difference.sectionsToInsert == [])
  }

  @Test func `A modified element with another place in its section is deleted and inserted`() {
    let difference = SectionDifference(
      old: ["a", "b", "b", "b"], new: ["b", "b"],
      changes: ChangeSet(deletions: [0, 1], modifications: [2]))
    expectEqual(difference.deletions, paths((1, 0), (1, 1)))
    expectEqual(difference.insertions, paths((0, 0)))
    expectEqual(difference.modifications, [])
    expectTrue(difference.sectionsToDelete == [0] && difference.sectionsToInsert == [])
  }

  @Test func `An element with another key has left its section, though it kept its place`() {
    let difference = SectionDifference(
      old: ["a", "a", "b"], new: ["a", "b", "b"], changes: ChangeSet(modifications: [1]))
    expectEqual(difference.deletions, paths((0, 1)))
    expectEqual(difference.insertions, paths((1, 0)))
    expectEqual(difference.modifications, [])
  }

  @Test func `Without changes it is empty`() {
    expectTrue(SectionDifference(old: ["a"], new: ["a"], changes: ChangeSet()).isEmpty)
    expectTrue(SectionDifference(old: [String](), new: [], changes: ChangeSet()).isEmpty)
  }

  private struct Element: Equatable {
    let id: Int
    let key: Int
  }

  /// The sections of a list, in the order of their first elements.
  private func sections(_ list: [Element]) -> [(key: Int, elements: [Element])] {
    var keys: [Int] = []
    for element in list where !keys.contains(element.key) { keys.append(element.key) }
    return keys.map { key in (key, list.filter { $0.key == key }) }
  }

  @Test func `Random differences turn the old sections into the new ones`() {
    var random = SplitMix64(seed: 21)
    for _ in 0..<4_000 {
      func list() -> [Element] {
        (0..<10).filter { _ in random.percent(60) }.map {
          Element(id: $0, key: Int.random(in: 0...3, using: &random))
        }
      }
      let (old, new) = (list(), list())
      // Elements with the same number are the same ones, whatever their keys.
      let changes = SequenceDifference.identities(
        old: old.map { Int64($0.id) }, new: new.map { Int64($0.id) }
      ) { _ in true }
      let difference = SectionDifference(
        old: old.map(\.key), new: new.map(\.key), changes: changes)
      expectTrue(applied(difference, sections(old), sections(new)))
      expectEqual(difference.deletions, difference.deletions.sorted())
      expectEqual(difference.insertions, difference.insertions.sorted())
      expectEqual(difference.modifications, difference.modifications.sorted())
      expectTrue(
        difference.deletions.allSatisfy { !difference.sectionsToDelete.contains($0.section) })
      let modified = Set(
        difference.modifications.map { sections(old)[$0.section].elements[$0.item] }
          .map(\.id))
      expectTrue(modified.isSubset(of: changes.modifications.map { old[$0].id }))
    }
  }

  /// Makes the changes as a table view would, and says whether the result is the new list.
  private func applied(
    _ difference: SectionDifference, _ old: [(key: Int, elements: [Element])],
    _ new: [(key: Int, elements: [Element])]
  ) -> Bool {
    var sections = old.map(\.elements)
    var keys = old.map(\.key)
    for path in difference.deletions.reversed() {
      sections[path.section].remove(at: path.item)
    }
    for section in difference.sectionsToDelete.reversed() {
      sections.remove(at: section)
      keys.remove(at: section)
    }
    for section in difference.sectionsToInsert {
      sections.insert([], at: section)
      keys.insert(new[section].key, at: section)
    }
    for path in difference.insertions {
      sections[path.section].insert(new[path.section].elements[path.item], at: path.item)
    }
    return sections == new.map(\.elements) && keys == new.map(\.key)
  }
}
