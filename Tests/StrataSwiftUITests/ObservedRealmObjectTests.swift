import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

private struct OwnerView: View {
  @ObservedRealmObject var owner: Owner

  var body: some View {
    Text("\(owner.name) \(owner.age)")
    TextField("Name", text: $owner.name)
    Button("Delete") { $owner.delete() }
    Button("Add pet") { $owner.pets.append(Pet(value: ["name": "Rex"])) }
    ForEach(owner.pets) { Text($0.name) }
      .onDelete { $owner.pets.remove(atOffsets: $0) }
      .onMove { $owner.pets.move(fromOffsets: $0, toOffset: $1) }
  }
}

private struct PetsView: View {
  @ObservedRealmObject var pets: Strata.List<Pet>

  var body: some View {
    ForEach(pets) { Text($0.name) }
      .onDelete { $pets.remove(atOffsets: $0) }
    Button("Add") { $pets.append(Pet(value: ["name": "Rex"])) }
  }
}

private struct CardView: View {
  @ObservedRealmObject var card: OwnerCard

  var body: some View {
    Text("\(card.name) of \(card.city ?? "nowhere")")
    TextField("Name", text: $card.name)
  }
}

/// A view of the chosen one of two owners.
private struct ChoiceView: View {
  let owners: [Owner]
  @State private var choice = 0

  var body: some View {
    OwnerView(owner: owners[choice])
    Button("Next") { choice = 1 }
  }
}

@MainActor @Suite struct ObservedRealmObjectTests {
  let store: Store

  init() throws { store = try Store() }

  @Test func `What others set is shown`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada", "age": 36]))
    let screen = Screen(OwnerView(owner: owner))
    expectEqual(screen.texts, ["Ada 36", "Ada"])
    try await store.elsewhere { $0.objects(Owner.self).first?.age = 37 }
    await expectTrue(eventually { screen.texts == ["Ada 37", "Ada"] })
  }

  @Test func `A binding writes, and shows at once what it wrote`() throws {
    let owner = try store.add(Owner(value: ["name": "Ada"]))
    let screen = Screen(OwnerView(owner: owner))
    screen.type("Eve", into: "Name")
    expectEqual(owner.name, "Eve")
    expectEqual(screen.texts, ["Eve 0", "Eve"])
  }

  @Test func `What doesn't concern the object draws nothing`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada"]))
    let other = try store.add(Owner(value: ["name": "Bob"]))
    let screen = Screen(OwnerView(owner: owner))
    let watched = Screen(OwnerView(owner: other))
    expectTrue(screen.texts.first == "Ada 0" && watched.texts.first == "Bob 0")
    try await store.elsewhere { $0.objects(Owner.self).last?.age = 1 }
    await expectTrue(eventually { watched.texts.first == "Bob 1" })
    expectTrue(screen.texts.first == "Ada 0" && screen.drawings == 1)
  }

  @Test func `A frozen object is followed, and changed in the newest version`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada"]))
    let frozen = owner.freeze()
    let screen = Screen(OwnerView(owner: frozen))
    expectEqual(screen.texts.first, "Ada 0")
    try store.realm.write { owner.age = 1 }
    await expectTrue(eventually { screen.texts.first == "Ada 1" })
    screen.type("Eve", into: "Name")
    expectTrue(screen.texts.first == "Eve 1" && frozen.name == "Ada")
  }

  @Test func `A deleted object is shown as it was, and nothing is written to it`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada"]))
    let screen = Screen(OwnerView(owner: owner))
    expectEqual(screen.texts, ["Ada 0", "Ada"])
    screen.press("Delete")
    expectTrue(store.realm.isEmpty && screen.texts == ["Ada 0", "Ada"])
    screen.type("Eve", into: "Name")
    screen.press("Delete")
    expectTrue(store.realm.isEmpty && screen.texts == ["Ada 0", "Ada"])
  }

  @Test func `An object that was deleted before is shown as a new one`() throws {
    let owner = try store.add(Owner(value: ["name": "Ada", "age": 36]))
    let other = try store.add(Owner(value: ["name": "Bob"]))
    let card = OwnerCard(projecting: owner)
    let screen = Screen(ChoiceView(owners: [other, owner]))
    expectEqual(screen.texts.first, "Bob 0")
    try store.realm.write { store.realm.delete(owner) }
    screen.press("Next")
    expectEqual(screen.texts, [" 0", ""])
    screen.type("Eve", into: "Name")
    screen.press("Delete")
    expectTrue(other.name == "Bob" && store.realm.objects(Owner.self).count == 1)
    expectEqual(Screen(OwnerView(owner: owner)).texts, [" 0", ""])
    expectEqual(Screen(CardView(card: card)).texts.first, " of nowhere")
  }

  @Test func `Lists of an object are added to, moved in and removed from`() throws {
    let owner = try store.add(Owner(value: ["name": "Ada"]))
    let screen = Screen(OwnerView(owner: owner))
    screen.press("Add pet")
    screen.press("Add pet")
    try store.realm.write { owner.pets[1].name = "Tom" }
    expectEqual(owner.pets.map(\.name), ["Rex", "Tom"])
    expectEqual(screen.texts.suffix(2), ["Rex", "Tom"])
    screen.move(0, to: 2)
    expectEqual(owner.pets.map(\.name), ["Tom", "Rex"])
    screen.delete(0)
    expectTrue(owner.pets.map(\.name) == ["Rex"] && store.realm.objects(Pet.self).count == 2)
  }

  @Test func `A list is followed`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada", "pets": [["name": "Tom"]]]))
    let screen = Screen(PetsView(pets: owner.pets))
    expectEqual(screen.texts, ["Tom"])
    screen.press("Add")
    expectEqual(screen.texts, ["Tom", "Rex"])
    try await store.elsewhere { $0.objects(Owner.self).first?.pets.remove(at: 0) }
    await expectTrue(eventually { screen.texts == ["Rex"] })
    screen.delete(0)
    expectEqual(screen.texts, [])
  }

  @Test func `A projection is followed, and writes through`() async throws {
    let owner = try store.add(Owner(value: ["name": "Ada", "home": ["city": "London"]]))
    let screen = Screen(CardView(card: OwnerCard(projecting: owner)))
    expectEqual(screen.texts.first, "Ada of London")
    screen.type("Eve", into: "Name")
    expectTrue(owner.name == "Eve" && screen.texts.first == "Eve of London")
    try await store.elsewhere { $0.objects(Owner.self).first?.home?.city = "Paris" }
    await expectTrue(eventually { screen.texts.first == "Eve of Paris" })
  }

  @Test func `What is in no realm is shown and changed as it is`() throws {
    let owner = Owner(value: ["name": "Ada"])
    let screen = Screen(OwnerView(owner: owner))
    screen.type("Eve", into: "Name")
    screen.press("Add pet")
    expectTrue(owner.name == "Eve" && screen.texts == ["Eve 0", "Eve"])
    try store.add(owner)
    screen.type("Bob", into: "Name")
    expectEqual(store.realm.objects(Owner.self).first?.name, "Bob")
    expectEqual(screen.texts, ["Bob 0", "Bob", "Rex"])
  }

  @Test func `Another object that is given is shown instead`() throws {
    let first = try store.add(Owner(value: ["name": "Ada"]))
    let second = try store.add(Owner(value: ["name": "Bob"]))
    let screen = Screen(ChoiceView(owners: [first, second]))
    expectEqual(screen.texts.first, "Ada 0")
    screen.press("Next")
    expectEqual(screen.texts.first, "Bob 0")
    screen.type("Eve", into: "Name")
    expectTrue(first.name == "Ada" && second.name == "Eve")
  }
}
