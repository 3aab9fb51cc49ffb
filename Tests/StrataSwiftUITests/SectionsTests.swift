import Foundation
import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

private struct CardsView: View {
  @ObservedSectionedResults(OwnerCard.self, sectionKeyPath: \.name) var cards

  var body: some View {
    ForEach(cards) { section in
      Section(section.key) {
        ForEach(section) { Text($0.city ?? "nowhere") }
          .onDelete { $cards.remove(atOffsets: $0, section: section) }
      }
    }
    Button("Add") { $cards.append(OwnerCard(projecting: Owner(value: ["name": "Bob"]))) }
    Button("Ada") { $cards.filter = NSPredicate(format: "name == 'Ada'") }
    Button("All") { $cards.filter = nil }
    Button("Remove first") { if let first = cards.first?.first { $cards.remove(first) } }
  }
}

private struct PetsView: View {
  @ObservedSectionedResults(Pet.self, sectionKeyPath: \.initial, sortDescriptors: ["name"]) var pets
  @State private var text = ""

  var body: some View {
    List(pets) { section in
      Section(section.key) {
        ForEach(section) { Text($0.name) }
          .onDelete { $pets.remove(atOffsets: $0, section: section) }
      }
    }
    .searchable(text: $text, collection: $pets, keyPath: \.name)
    Button("Add") { $pets.append(Pet(value: ["name": "Tim"])) }
    Button("Fed") { $pets.where = { $0.isFed } }
    Button("Backwards") {
      $pets.sortDescriptors = [SortDescriptor(keyPath: "name", ascending: false)]
    }
  }
}

@MainActor @Suite struct SectionsTests {
  let store: Store

  init() throws {
    store = try Store()
    try store.realm.write {
      for name in ["Rex", "Tom", "Ron"] { store.realm.create(Pet.self, value: ["name": name]) }
      store.realm.objects(Pet.self).last?.isFed = true
    }
  }

  private func screen() -> Screen {
    Screen(PetsView().environment(\.realmConfiguration, store.configuration))
  }

  @Test func `Sections that come, go and change are shown`() async throws {
    let screen = screen()
    expectEqual(screen.texts, ["[R]", "Rex", "Ron", "[T]", "Tom"])
    try await store.elsewhere { $0.create(Pet.self, value: ["name": "Ace"]) }
    await expectTrue(
      eventually { screen.texts == ["[A]", "Ace", "[R]", "Rex", "Ron", "[T]", "Tom"] })
    screen.delete(0, list: 0)
    expectEqual(screen.texts, ["[R]", "Rex", "Ron", "[T]", "Tom"])
    screen.delete(1, list: 0)
    screen.press("Add")
    expectEqual(screen.texts, ["[R]", "Rex", "[T]", "Tim", "Tom"])
  }

  @Test func `Conditions, the order and a search are set`() throws {
    let screen = screen()
    screen.press("Backwards")
    expectEqual(screen.texts, ["[T]", "Tom", "[R]", "Ron", "Rex"])
    screen.type("ro", into: "search")
    expectEqual(screen.texts, ["[R]", "Ron"])
    screen.type("o", into: "search")
    expectEqual(screen.texts, ["[T]", "Tom", "[R]", "Ron"])
    screen.press("Fed")
    expectEqual(screen.texts, ["[R]", "Ron"])
  }

  @Test func `A closure gives the keys`() throws {
    struct LengthsView: View {
      @ObservedSectionedResults(
        Pet.self, sectionBlock: { $0.isFed }, sortDescriptors: ["isFed"],
        where: { $0.name != "Tom" }) var pets

      var body: some View {
        ForEach(pets) { section in
          Section("\(section.key)") { ForEach(section) { Text($0.name) } }
        }
      }
    }

    let view = LengthsView().environment(\.realmConfiguration, store.configuration)
    expectEqual(Screen(view).texts, ["[false]", "Rex", "[true]", "Ron"])
  }

  @Test func `Projections are in sections`() throws {
    try store.add(Owner(value: ["name": "Ada", "home": ["city": "London"]]))
    let screen = Screen(CardsView().environment(\.realmConfiguration, store.configuration))
    expectEqual(screen.texts, ["[Ada]", "London"])
    screen.press("Add")
    expectEqual(screen.texts, ["[Ada]", "London", "[Bob]", "nowhere"])
    screen.press("Ada")
    expectEqual(screen.texts, ["[Ada]", "London"])
    screen.press("Remove first")
    expectEqual(screen.texts, [])
    screen.press("All")
    expectEqual(screen.texts, ["[Bob]", "nowhere"])
  }
}
