import Foundation
import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

private struct OwnersView: View {
  @ObservedResults(Owner.self, sortDescriptor: "name") var owners
  @State private var text = ""

  var body: some View {
    List {
      ForEach(owners) { owner in Text(owner.name) }
        .onDelete { $owners.remove(atOffsets: $0) }
    }
    .searchable(text: $text, collection: $owners, keyPath: \.name)
    Button("Add") { $owners.append(Owner(value: ["name": "Eve", "age": 20])) }
    Button("Adults") { $owners.where = { $0.age >= 18 } }
    Button("Children") { $owners.filter = NSPredicate(format: "age < %@", 18) }
    Button("All") {
      $owners.where = nil
      $owners.filter = nil
    }
    Button("Backwards") {
      $owners.sortDescriptor = SortDescriptor(keyPath: "name", ascending: false)
    }
    Button("Remove first") { if let first = owners.first { $owners.remove(first) } }
  }
}

private struct SuggestingView: View {
  @ObservedResults(Owner.self, sortDescriptor: "name") var owners
  @State private var text = ""
  let hasTranslatedPrompt: Bool

  var body: some View {
    if hasTranslatedPrompt {
      list.searchable(text: $text, collection: $owners, keyPath: \.name, prompt: "Find") {
        suggestions
      }
    } else {
      list.searchable(text: $text, collection: $owners, keyPath: \.name) { suggestions }
    }
  }

  private var list: some View { List { ForEach(owners) { Text($0.name) } } }

  private var suggestions: some View { ForEach(owners) { Text("\($0.name)?") } }
}

private struct CardsView: View {
  @ObservedResults(OwnerCard.self, where: { $0.age > 0 }) var cards

  var body: some View {
    ForEach(cards) { Text($0.name) }
      .onDelete { $cards.remove(atOffsets: $0) }
  }
}

private struct FailingView: View {
  @ObservedResults(Owner.self) var owners

  var body: some View {
    Text("\(owners.count)")
    if let error = $owners.error as? Realm.Error { Text(error.message) }
  }
}

/// Shows the replica of two that is chosen.
private struct ReplicaChoiceView: View {
  let folders: [URL]
  @State private var choice = 0

  var body: some View {
    let configuration = Realm.Configuration(
      replica: .init(folder: folders[choice]), objectTypes: [Owner.self, Pet.self, Home.self])
    FailingView().environment(\.realmConfiguration, configuration)
    Button("Next") { choice = 1 }
  }
}

@MainActor @Suite struct ObservedResultsTests {
  let store: Store

  init() throws {
    store = try Store()
    try store.realm.write {
      store.realm.create(Owner.self, value: ["name": "Bob", "age": 12])
      store.realm.create(Owner.self, value: ["name": "Ada", "age": 36])
    }
  }

  private func screen() -> Screen {
    Screen(OwnersView().environment(\.realmConfiguration, store.configuration))
  }

  private var names: [String] { store.realm.objects(Owner.self).map(\.name) }

  @Test func `Objects that come, go and change are shown`() async throws {
    let screen = screen()
    expectEqual(screen.texts, ["Ada", "Bob"])
    try await store.elsewhere { $0.create(Owner.self, value: ["name": "Abe"]) }
    await expectTrue(eventually { screen.texts == ["Abe", "Ada", "Bob"] })
    try await store.elsewhere { $0.objects(Owner.self).first?.name = "Zoe" }
    await expectTrue(eventually { screen.texts == ["Abe", "Ada", "Zoe"] })
    try await store.elsewhere { $0.deleteAll() }
    await expectTrue(eventually { screen.texts == [] })
  }

  @Test func `Objects are added and deleted, which is shown at once`() throws {
    let screen = screen()
    screen.press("Add")
    expectTrue(names == ["Bob", "Ada", "Eve"] && screen.texts == ["Ada", "Bob", "Eve"])
    screen.delete(0, 2)
    expectTrue(names == ["Bob"] && screen.texts == ["Bob"])
    screen.press("Remove first")
    expectTrue(names == [] && screen.texts == [])
    screen.press("Remove first")
  }

  @Test func `Positions are those of what is shown`() async throws {
    let screen = screen()
    expectEqual(screen.texts, ["Ada", "Bob"])
    // The screen isn't drawn again before the row is deleted.
    try store.realm.write { store.realm.create(Owner.self, value: ["name": "Abe"]) }
    screen.delete(1)
    expectEqual(names, ["Ada", "Abe"])
  }

  @Test func `Conditions and the order are set`() throws {
    let screen = screen()
    expectEqual(screen.texts, ["Ada", "Bob"])
    screen.press("Adults")
    expectEqual(screen.texts, ["Ada"])
    // The last one takes the place of the other, as in RealmSwift.
    screen.press("Children")
    expectEqual(screen.texts, ["Bob"])
    screen.press("Adults")
    expectEqual(screen.texts, ["Ada"])
    screen.press("All")
    expectEqual(screen.texts, ["Ada", "Bob"])
    screen.press("All")
    screen.press("Backwards")
    expectEqual(screen.texts, ["Bob", "Ada"])
  }

  @Test(arguments: [false, true])
  func `Suggestions are of what is found`(hasTranslatedPrompt: Bool) throws {
    let screen = Screen(
      SuggestingView(hasTranslatedPrompt: hasTranslatedPrompt)
        .environment(\.realmConfiguration, store.configuration))
    expectEqual(screen.texts, ["Ada", "Bob", "Ada?", "Bob?"])
    screen.type("O", into: "search")
    expectEqual(screen.texts, ["Bob", "Bob?"])
  }

  @Test func `A search is one more condition`() throws {
    let screen = screen()
    expectEqual(screen.texts, ["Ada", "Bob"])
    screen.type("D", into: "search")
    expectEqual(screen.texts, ["Ada"])
    screen.press("Children")
    expectEqual(screen.texts, [])
    screen.type("", into: "search")
    expectEqual(screen.texts, ["Bob"])
  }

  @Test func `Projections are shown`() async throws {
    let screen = Screen(CardsView().environment(\.realm, store.realm))
    expectEqual(screen.texts, ["Bob", "Ada"])
    try await store.elsewhere { $0.objects(Owner.self).first?.name = "Eve" }
    await expectTrue(eventually { screen.texts == ["Eve", "Ada"] })
    screen.delete(0)
    expectEqual(names, ["Ada"])
  }

  @Test func `Another configuration of the environment is another realm`() throws {
    struct Switching: View {
      let configurations: [Realm.Configuration]
      @State private var number = 0

      var body: some View {
        OwnersView().environment(\.realmConfiguration, configurations[number])
        Button("Switch") { number = 1 }
      }
    }

    let other = try Store()
    try other.add(Owner(value: ["name": "Zoe"]))
    let screen = Screen(Switching(configurations: [store.configuration, other.configuration]))
    expectEqual(screen.texts, ["Ada", "Bob"])
    screen.press("Switch")
    expectEqual(screen.texts, ["Zoe"])
    screen.press("Add")
    expectTrue(screen.texts == ["Eve", "Zoe"] && names == ["Bob", "Ada"])
  }

  @Test func `A configuration is given to a property`() throws {
    struct GivenView: View {
      @ObservedResults var owners: Results<Owner>

      init(_ configuration: Realm.Configuration) {
        _owners = ObservedResults(
          Owner.self, configuration: configuration, filter: NSPredicate(format: "age > 18"))
      }

      var body: some View { ForEach(owners) { Text($0.name) } }
    }

    expectEqual(Screen(GivenView(store.configuration)).texts, ["Ada"])
  }

  @Test func `A realm that can't be opened has no objects, and an error`() throws {
    var configuration = store.configuration
    configuration.objectTypes = [Pet.self]
    withKnownIssue {
      let screen = Screen(FailingView().environment(\.realmConfiguration, configuration))
      expectTrue(screen.texts.first == "0" && screen.texts.count == 2, "\(screen.texts)")
    }
  }

  @Test func `Another replica of the environment is opened`() throws {
    // Nothing was published there: the error says which one was opened.
    let folders = ["one", "two"].map { URL(fileURLWithPath: "/nowhere/\($0).replica") }
    withKnownIssue {
      let screen = Screen(ReplicaChoiceView(folders: folders))
      expectEqual(screen.texts.last?.contains("one.replica"), true, "\(screen.texts)")
      screen.press("Next")
      expectEqual(screen.texts.last?.contains("two.replica"), true, "\(screen.texts)")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("can't be opened") }
    }
  }

  @Test func `A view in a transaction is a part of it`() throws {
    let screen = screen()
    expectEqual(screen.texts, ["Ada", "Bob"])
    store.realm.beginWrite()
    screen.press("Add")
    store.realm.cancelWrite()
    expectTrue(names == ["Bob", "Ada"] && screen.texts == ["Ada", "Bob"])
  }
}
