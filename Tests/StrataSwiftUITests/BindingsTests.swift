import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

private struct EverythingView: View {
  @ObservedRealmObject var owner: Owner

  var body: some View {
    Text("\(Array(owner.tags)) \(Array(owner.numbers)) \(owner.scores["go"] ?? 0)")
    if let pet = Binding($owner.favourite) {
      TextField("Pet", text: pet.name)
      Toggle("Fed", isOn: pet.isFed)
      Button("Delete pet") { pet.delete() }
    }
    if let home = Binding($owner.home) { TextField("City", text: home.city) }
    Button("Fill") {
      $owner.tags.insert("a")
      $owner.tags.insert("b")
      $owner.tags.remove("a")
      $owner.numbers.append(1)
      $owner.numbers.insert(2, at: 0)
      $owner.numbers.append(3)
      $owner.numbers.remove(at: 1)
      $owner.scores["go"] = 5
    }
    Button("Empty") {
      $owner.scores["go"] = nil
      $owner.numbers.remove(atOffsets: [0, 1, 7])
      $owner.numbers.move(fromOffsets: [0], toOffset: 9)
    }
    Button("Prefer the first") { $owner.favourite.wrappedValue = owner.pets.first }
  }
}

private struct ScoresView: View {
  @ObservedRealmObject var scores: Map<String, Int>

  var body: some View {
    Text("\(scores.count)")
    Button("Add") { $scores.set(object: 1, for: "chess") }
  }
}

private struct TagsView: View {
  @ObservedRealmObject var tags: MutableSet<String>

  var body: some View {
    Text("\(tags.count)")
    Button("Add") { $tags.insert("x") }
  }
}

@MainActor @Suite struct BindingsTests {
  let store: Store
  let owner: Owner

  init() throws {
    store = try Store()
    owner = try store.add(
      Owner(value: ["home": ["city": "London"], "pets": [["name": "Rex"]]]))
  }

  @Test func `The object of a projection is deleted`() throws {
    let card = OwnerCard(projecting: owner)
    Binding.constant(card).delete()
    expectTrue(store.realm.objects(Owner.self).isEmpty && card.isInvalidated)
    Binding.constant(card).delete()
    Binding.constant(OwnerCard(projecting: Owner())).delete()
    let other = try store.add(Owner(value: ["name": "Bob"]))
    ObservedRealmObject(wrappedValue: OwnerCard(projecting: other)).projectedValue.delete()
    StateRealmObject(wrappedValue: OwnerCard(projecting: Owner())).projectedValue.delete()
    expectTrue(store.realm.objects(Owner.self).isEmpty)
  }

  @Test func `Removing an object in no realm from results is reported`() throws {
    expectIssue("Can only delete an object from the Realm it belongs to.") {
      Binding.constant(store.realm.objects(Owner.self)).remove(Owner())
    }
    expectEqual(store.realm.objects(Owner.self).count, 1)
  }

  @Test func `Lists, sets and maps are changed`() throws {
    let screen = Screen(EverythingView(owner: owner))
    screen.press("Fill")
    expectTrue(Array(owner.tags) == ["b"] && Array(owner.numbers) == [2, 3])
    expectEqual(owner.scores["go"], 5)
    screen.press("Empty")
    expectTrue(owner.scores.isEmpty && owner.numbers.isEmpty)
  }

  @Test func `Elements are removed and moved from where others have left them`() throws {
    let pets = ["a", "b", "c", "d"].map { Pet(value: ["name": $0]) }
    try store.realm.write {
      owner.pets.removeAll()
      owner.pets.append(objectsIn: pets)
      owner.numbers.append(objectsIn: [1, 2, 2, 3])
    }
    let shownPets = Binding.constant(owner.pets.freeze())
    let shownNumbers = Binding.constant(owner.numbers.freeze())
    try store.realm.write {
      store.realm.delete(pets[1])
      owner.pets.insert(Pet(value: ["name": "new"]), at: 0)
      owner.numbers.insert(contentsOf: [8, 9], at: 0)
    }
    shownPets.remove(at: 0)
    shownPets.remove(at: 1)
    expectEqual(owner.pets.map(\.name), ["new", "c", "d"])
    shownPets.move(fromOffsets: [3], toOffset: 2)
    expectEqual(owner.pets.map(\.name), ["new", "d", "c"])
    shownNumbers.remove(atOffsets: [1, 3])
    expectEqual(Array(owner.numbers), [8, 9, 1, 2])
    shownNumbers.move(fromOffsets: [0], toOffset: 4)
    expectEqual(Array(owner.numbers), [8, 9, 2, 1])
  }

  @Test func `Elements that others have removed just before are gone`() async throws {
    try store.realm.write {
      owner.numbers.append(objectsIn: [1, 2])
      owner.notes.append(objectsIn: [.int(1), .string("a")])
    }
    let (numbers, notes) = (Binding.constant(owner.numbers), Binding.constant(owner.notes))
    // The transaction of the binding is the first to see it.
    store.realm.autorefresh = false
    try await store.elsewhere { realm in
      for owner in realm.objects(Owner.self) {
        owner.numbers.removeAll()
        owner.notes.removeLast()
      }
    }
    numbers.remove(atOffsets: [0, 1])
    expectTrue(owner.numbers.isEmpty && owner.notes.count == 1)
    try await store.elsewhere { $0.objects(Owner.self).first?.notes.removeAll() }
    notes.remove(at: 0)
    notes.move(fromOffsets: [0], toOffset: 1)
    expectTrue(owner.notes.isEmpty)
  }

  @Test func `Positions within a transaction are those of the list as it is`() throws {
    let numbers = Binding.constant(owner.numbers.freeze())
    try store.realm.write {
      numbers.append(1)
      numbers.insert(2, at: 0)
      numbers.remove(at: 0)
      expectEqual(Array(owner.numbers), [1])
    }
  }

  @Test func `What a collection has got is shown`() async throws {
    let screen = Screen(EverythingView(owner: owner))
    screen.press("Fill")
    await expectTrue(eventually { screen.texts.first == #"["b"] [2, 3] 5"# })
  }

  @Test func `Properties of linked and embedded objects are bound`() throws {
    let screen = Screen(EverythingView(owner: owner))
    screen.type("Paris", into: "City")
    expectEqual(owner.home?.city, "Paris")
    screen.press("Prefer the first")
    expectTrue(owner.favourite == owner.pets.first && screen.texts.contains("Rex"))
    screen.type("Tom", into: "Pet")
    screen.turn("Fed")
    expectTrue(owner.favourite?.name == "Tom" && owner.favourite?.isFed == true)
    expectTrue(screen.texts.contains("Tom") && screen.texts.contains("on"))
    screen.press("Delete pet")
    expectTrue(owner.favourite == nil && owner.pets.isEmpty)
  }

  @Test func `A binding of a live object writes in a transaction`() throws {
    let binding = Binding.constant(owner)
    binding.name.wrappedValue = "Eve"
    expectTrue(owner.name == "Eve" && binding.name.wrappedValue == "Eve")
    let card = Binding.constant(OwnerCard(projecting: owner))
    card.name.wrappedValue = "Ada"
    expectEqual(owner.name, "Ada")
  }

  @Test func `Properties of an object are bound without a wrapper`() throws {
    let name = owner.bind(\.name)
    name.wrappedValue = "Eve"
    expectTrue(owner.name == "Eve" && name.wrappedValue == "Eve")
    let frozen = owner.freeze().bind(\.name)
    frozen.wrappedValue = "Fay"
    expectTrue(owner.name == "Fay" && frozen.wrappedValue == "Fay")
    let card = OwnerCard(projecting: owner).bind(\.name)
    card.wrappedValue = "Ada"
    expectTrue(owner.name == "Ada" && card.wrappedValue == "Ada" && name.wrappedValue == "Ada")
    let unmanaged = Owner()
    unmanaged.bind(\.age).wrappedValue = 7
    expectEqual(unmanaged.age, 7)
    try store.realm.write { store.realm.delete(owner) }
    name.wrappedValue = "nobody"
    expectEqual(name.wrappedValue, "Ada")
  }

  @Test func `Maps and sets are followed`() async throws {
    let scores = Screen(ScoresView(scores: owner.scores))
    let tags = Screen(TagsView(tags: owner.tags))
    expectTrue(scores.texts == ["0"] && tags.texts == ["0"])
    scores.press("Add")
    tags.press("Add")
    expectTrue(scores.texts == ["1"] && tags.texts == ["1"])
    try await store.elsewhere {
      $0.objects(Owner.self).first?.scores["go"] = 2
      $0.objects(Owner.self).first?.tags.insert("y")
    }
    await expectTrue(eventually { scores.texts == ["2"] && tags.texts == ["2"] })
  }

  @Test func `A list of an object in no realm is changed without a report`() {
    let owner = Owner(value: ["numbers": [1, 2, 3]])
    let numbers = owner.bind(\.numbers)
    numbers.remove(at: 0)
    numbers.move(fromOffsets: [0], toOffset: 2)
    expectEqual(Array(owner.numbers), [3, 2])
  }

  @Test func `A transaction that fails is reported, and changes nothing`() throws {
    let screen = Screen(TicketsView().environment(\.realmConfiguration, store.configuration))
    screen.press("Add")
    expectEqual(screen.texts, ["1"])
    withKnownIssue {
      screen.press("Add")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("A change by a view can't be written") }
    }
    expectTrue(screen.texts == ["1"] && store.realm.objects(Ticket.self).count == 1)
  }
}

private struct TicketsView: View {
  @ObservedResults(Ticket.self) var tickets

  var body: some View {
    Text("\(tickets.count)")
    Button("Add") { $tickets.append(Ticket(value: [1])) }
  }
}
