import Foundation
import Strata
import StrataSwiftUI
import SwiftUI
import TestKit
import Testing

/// The code of docs/swiftui.md: it equals `SwiftUIGuide.swift` and `SwiftUIGuideModels.swift`, and
/// works as the text says.
@MainActor @Suite struct SwiftUIGuideTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Contact.self, Phone.self])
  private let realm: Realm

  init() throws { realm = try Realm(configuration: configuration) }

  private func screen(_ view: some View) -> Screen {
    Screen(view.environment(\.realmConfiguration, configuration))
  }

  @Test func `The guide shows what is compiled`() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    func text(_ path: String) throws -> String {
      try String(contentsOf: here.appendingPathComponent(path), encoding: .utf8)
    }
    func words(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let source = words(try text("SwiftUIGuideModels.swift") + text("SwiftUIGuide.swift"))
    let blocks = try text("../../docs/swiftui.md").components(separatedBy: "```swift\n")
      .dropFirst().map { $0.components(separatedBy: "```")[0] }
      // Without the parts of a manifest.
      .filter { !$0.hasPrefix(".target") }
    expectTrue(blocks.count >= 10)
    for block in blocks {
      let code = words(block).replacing("import Strata final", with: "final")
      expectTrue(source.contains(code), "\(block)")
    }
  }

  @Test func `Contacts are added, changed, found and deleted`() throws {
    let screen = screen(ContactsView())
    screen.press("New")
    expectEqual(screen.texts, ["New contact", "off", "New contact"])
    screen.type("Ada", into: "Name")
    screen.turn("Favourite")
    screen.press("Add a phone")
    screen.type("1815", into: "Number")
    expectEqual(screen.texts, ["Ada", "on", "Ada", "1815"])
    screen.type("x", into: "search")
    expectEqual(screen.texts, [])
    screen.type("a", into: "search")
    expectEqual(screen.texts, ["Ada", "on", "Ada", "1815"])
    screen.delete(0, list: 1)
    expectTrue(screen.texts == [] && realm.objects(Contact.self).isEmpty)
  }

  @Test func `Phones are removed, and the contact is deleted`() async throws {
    try realm.write { realm.add(Contact(value: ["name": "Ada", "phones": [["number": "1815"]]])) }
    let screen = screen(ContactsView())
    expectEqual(screen.texts, ["Ada", "off", "Ada", "1815"])
    screen.delete(0, list: 0)
    await expectTrue(eventually { screen.texts == ["Ada", "off", "Ada"] })
    screen.press("Delete")
    expectTrue(realm.objects(Contact.self).isEmpty)
  }

  @Test func `A program starts with the opening`() async throws {
    let screen = screen(StartView())
    expectEqual(screen.texts, ["…"])
    screen.press("New")
    await expectTrue(eventually { screen.texts == [] })
    screen.press("New")
    expectEqual(screen.texts, ["New contact", "off", "New contact"])
    _ = ContactsApp().body
  }

  @Test func `A new contact is saved`() throws {
    let screen = screen(NewContactView())
    screen.type("Ada", into: "Name")
    expectTrue(realm.isEmpty && screen.texts == ["Ada"])
    screen.press("Save")
    expectTrue(realm.objects(Contact.self).first?.name == "Ada" && screen.texts == ["Ada"])
  }

  @Test func `The index has sections`() throws {
    try realm.write {
      for name in ["Bob", "Ada"] { realm.add(Contact(value: ["name": name])) }
      realm.objects(Contact.self).first?.isFavourite = true
    }
    let screen = screen(IndexView())
    expectEqual(screen.texts, ["[A]", "Ada", "off", "[B]", "Bob", "on"])
    screen.press("Favourites")
    expectEqual(screen.texts, ["[B]", "Bob", "on"])
    screen.press("All")
    expectEqual(screen.texts.first, "[A]")
    screen.delete(0, list: 0)
    expectEqual(screen.texts, ["[B]", "Bob", "on"])
  }

  @Test func `A preview has contacts, and code is tested without views`() throws {
    expectEqual(Screen(ContactsView_Previews.previews).texts, ["Ada", "off", "Ada"])
    try expectEqual(countAfterAdding(), 1)
  }
}
