import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

@MainActor private var made = 0

private struct NewOwnerView: View {
  @StateRealmObject var owner = Self.make()
  @ObservedResults(Owner.self) var owners

  static func make() -> Owner {
    made += 1
    return Owner(value: ["name": "new"])
  }

  var body: some View {
    TextField("Name", text: $owner.name)
    Button("Add") { $owners.append(owner) }
    Text("\(owners.count)")
  }
}

@MainActor @Suite(.serialized) struct StateRealmObjectTests {
  @Test func `It is made once, and stays when the view is made again`() throws {
    let store = try Store()
    made = 0
    let screen = Screen(NewOwnerView().environment(\.realmConfiguration, store.configuration))
    expectEqual(screen.texts, ["new", "0"])
    screen.type("Ada", into: "Name")
    expectEqual(screen.texts, ["Ada", "0"])
    screen.press("Add")
    expectTrue(screen.texts == ["Ada", "1"] && made == 1)
    expectEqual(store.realm.objects(Owner.self).first?.name, "Ada")
  }

  @Test func `It follows what was added to a realm`() async throws {
    let store = try Store()
    let screen = Screen(NewOwnerView().environment(\.realmConfiguration, store.configuration))
    screen.press("Add")
    expectEqual(screen.texts, ["new", "1"])
    try await store.elsewhere { $0.objects(Owner.self).first?.name = "Eve" }
    await expectTrue(eventually { screen.texts == ["Eve", "1"] })
    screen.type("Ada", into: "Name")
    expectEqual(store.realm.objects(Owner.self).first?.name, "Ada")
  }
}
