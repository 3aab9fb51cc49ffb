import Foundation
import GRDB
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// The changes of a user, and their effects in the file.
  @Suite(.serialized) struct EditingTests {
    private static let mistake = "document.querySelector('.editor .mistake')?.textContent"

    private func edit(
      expecting expected: [String] = [], _ body: (StudioPage) async throws -> Void
    ) async throws {
      try await StudioPage.with(
        try Scene.current.somePeople(), ["--write"], expecting: expected
      ) { view in
        try await view.show("#/Dog")
        try await body(view)
      }
    }

    @Test func `A changed cell is in the file, and the file as it was beside it`() async throws {
      try await edit { view in
        let before = try view.studio.value("SELECT age FROM Dog WHERE _id = 3")
        try await view.choose("age", of: 3)
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('.editor input')")
        try await view.page.type("1,234")
        try await view.page.press("Enter")
        try await view.untilFile(has: "1234", "SELECT age FROM Dog WHERE _id = 3")
        try await view.page.until("!document.querySelector('.editor')")
        try await view.page.until(
          "document.querySelector('.cell.active').textContent === '1,234'")
        let folder = view.studio.file.deletingLastPathComponent()
          .appendingPathComponent("people-backups")
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let copy = try #require(copies.first)
        expectEqual(copies.count, 1)
        try await view.page.until(
          "document.querySelector('#notices').textContent.includes(\(JSONText.of(copy)))")
        let old = try DatabaseQueue(path: folder.appendingPathComponent(copy).path)
        try await expectEqual(
          old.read { try String.fetchOne($0, sql: "SELECT age FROM Dog WHERE _id = 3") }, before)
        try old.close()
      }
    }

    @Test func `Keys edit each kind of cell`() async throws {
      try await edit { view in
        // A key begins with the text, Tab goes on to the next cell.
        try await view.choose("name", of: 2)
        try await view.page.type("Ann")
        try await view.page.press("Tab")
        try await view.untilFile(has: "Ann", "SELECT name FROM Dog WHERE _id = 2")
        try await view.page.until(
          "document.querySelector('.editor input')?.getAttribute('aria-label') === 'age'")
        try await view.page.press("Escape")
        try await view.choose("weight", of: 2)
        try await view.page.press("Backspace", control: true)
        try await view.untilFile(has: nil, "SELECT weight FROM Dog WHERE _id = 2")
        // A link is chosen from the objects of its class.
        try await view.choose("age", of: 2)
        for key in ["ArrowRight", "ArrowRight", "Enter"] { try await view.page.press(key) }
        try await view.page.until("document.querySelector('dialog .row:not(.loading)')")
        try await view.page.click("dialog .row:nth-child(5) .identity")
        let chosen = try await view.page.text(
          "document.querySelector('dialog .row:nth-child(5) .identity').textContent")
        try await view.answer("Choose")
        try await view.untilFile(has: chosen, "SELECT bestFriend FROM Dog WHERE _id = 2")
        try await view.show("#/Person")
        let before = try view.studio.value("SELECT 1 - active FROM Person WHERE _id = 1")
        try await view.choose("active", of: 1)
        try await view.page.press(" ")
        try await view.untilFile(has: before, "SELECT active FROM Person WHERE _id = 1")
      }
    }

    @Test func `A wrong value is told at its field, and nothing is written`() async throws {
      try await edit(expecting: ["422 (Unprocessable"]) { view in
        let count = "SELECT group_concat(age || name) FROM Dog"
        let before = try view.studio.value(count)
        try await view.choose("age", of: 3)
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('.editor input')")
        try await view.page.type("ten")
        try await view.page.press("Enter")
        try await view.page.until("\(Self.mistake) === \"'ten' is no Int.\"")
        try await expectEqual(
          view.page.value("document.querySelector('.editor input').value"), "ten")
        // Leaving the field saves no wrong value either.
        try await view.page.click("#figures")
        try await expectEqual(
          view.page.value("document.querySelector('.editor input').value"), "ten")
        try await view.page.click(".editor input")
        try await view.page.press("Escape")
        try await view.page.until("!document.querySelector('.editor')")
        try expectEqual(view.studio.value(count), before)
        // The page accepts this number, but a Float can't hold it.
        try await view.show("#/Visit")
        try await view.choose("amount", of: 1)
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('.editor input')")
        try await view.page.type("1e300")
        let amount = try view.studio.value("SELECT amount FROM Visit WHERE _id = 1")
        try await view.page.press("Enter")
        try await view.page.until("\(Self.mistake)?.includes('1e')")
        try expectEqual(view.studio.value("SELECT amount FROM Visit WHERE _id = 1"), amount)
        try await view.page.press("Escape")
        let undo = try await view.page.value(
          "document.querySelector('#edit-tools button').disabled")
        expectEqual(undo, true, "nothing can be taken back")
      }
    }

    @Test func `What another process changed meanwhile is told, and not overwritten`() async throws
    {
      try await edit(expecting: ["409 (Conflict)"]) { view in
        let age = "SELECT age FROM Dog WHERE _id = 3"
        try await view.choose("age", of: 3)
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('.editor input')")
        try await view.page.type("12")
        try view.studio.execute("UPDATE Dog SET age = 77 WHERE _id = 3")
        try await view.page.press("Enter")
        try await view.page.until(
          """
          \(Self.mistake)?.startsWith( \
          "Another program changed 'Dog.age' of object 3 meanwhile: it is 77 now, and was ")
          """)
        try expectEqual(view.studio.value(age), "77")
        // Leaving the field isn't the wish to write over it.
        try await view.page.click("#figures")
        try await Task.sleep(for: .milliseconds(300))
        try expectEqual(view.studio.value(age), "77")
        try await expectEqual(
          view.page.value("document.querySelector('.editor input').value"), "12")
        try await view.page.click(".editor input")
        try await view.page.press("Escape")
        try await view.page.until("document.querySelector('.cell.active').textContent === '77'")
        try expectEqual(view.studio.value(age), "77")
        // A user who has seen the new value may overwrite it.
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('.editor input')")
        try await view.page.type("13")
        try await view.page.press("Enter")
        try await view.untilFile(has: "13", age)
      }
    }

    @Test func `A new object is made from a form, and taken back`() async throws {
      // The object at the side isn't there any more when it is taken back.
      try await edit(expecting: ["404 (Not Found)"]) { view in
        let count = "SELECT count(*) FROM Dog"
        let before = try #require(try view.studio.value(count).flatMap { Int($0) })
        try await view.press("New", in: ".browse")
        try await view.page.until("document.querySelector('dialog input[aria-label=age]')")
        try await view.page.type("Nova")
        try await view.page.value("document.querySelector('dialog input[aria-label=age]').select()")
        try await view.page.click("dialog input[aria-label=age]")
        try await view.page.value("document.querySelector('dialog input[aria-label=age]').select()")
        try await view.page.type("x")
        try await view.answer("Create")
        try await view.page.until(
          "document.querySelector('dialog .mistake')?.textContent === \"'x' is no Int.\"")
        try expectEqual(view.studio.value(count), "\(before)")
        try await view.page.value("document.querySelector('dialog input[aria-label=age]').select()")
        try await view.page.type("4")
        try await view.answer("Create")
        try await view.untilFile(has: "\(before + 1)", count)
        try expectEqual(
          view.studio.value("SELECT name || ' ' || age FROM Dog ORDER BY _id DESC LIMIT 1"),
          "Nova 4")
        // The new object is shown at the side.
        try await view.page.until("document.querySelector('#panel h2')?.textContent === 'Nova'")
        try await view.page.until("!document.querySelector('dialog')")
        try await view.page.press("z", control: true)
        try await view.untilFile(has: "\(before)", count)
        try await view.page.press("Z", control: true, shift: true)
        try await view.untilFile(has: "\(before + 1)", count)
        let isDoneAgain = "document.querySelector('#said').textContent.startsWith('Done again')"
        try await view.page.until(isDoneAgain)
        try await view.page.value("document.querySelector('#said').textContent = ''")
        // The second key comes before the answer to the first.
        try await view.page.press("z", control: true)
        try await view.page.press("Z", control: true, shift: true)
        try await view.page.until(isDoneAgain)
        try expectEqual(view.studio.value(count), "\(before + 1)")
      }
    }

    @Test func `A deletion tells what goes with it, and is taken back`() async throws {
      try await edit { view in
        let links = "SELECT count(*) FROM Person WHERE dog = 3"
        let elements = "SELECT count(*) FROM Person_dogs WHERE value = 3"
        let name = try #require(try view.studio.value("SELECT name FROM Dog WHERE _id = 3"))
        let last = try #require(try view.studio.value("SELECT max(_id) FROM Dog"))
        let linkCount = try #require(try view.studio.value(links))
        let elementCount = try #require(try view.studio.value(elements))
        try await view.choose("name", of: 3)
        try await view.page.press("Delete")
        try await view.page.until("document.querySelector('dialog')")
        let text = try #require(
          try await view.page.text("document.querySelector('dialog').textContent"))
        expectTrue(text.contains("Delete 1 Dog?"))
        expectTrue(text.contains("\(linkCount) links become nil (Person.dog)."))
        expectTrue(text.contains("\(elementCount) elements of Person.dogs are removed."))
        try expectEqual(view.studio.value("SELECT name FROM Dog WHERE _id = 3"), name)
        try await view.answer("Cancel")
        try expectEqual(view.studio.value("SELECT name FROM Dog WHERE _id = 3"), name)
        try await view.page.press("Delete")
        try await view.answer("Delete")
        try await view.untilFile(has: nil, "SELECT name FROM Dog WHERE _id = 3")
        try expectEqual(view.studio.value(links), "0")
        try await view.page.until("!\(StudioPage.rows).some(row => row[1] === 3)")
        try await view.page.click("#edit-tools button[aria-label^=Undo]")
        try await view.untilFile(has: "1", "SELECT max(_id) > \(last) FROM Dog")
        let back = "(SELECT max(_id) FROM Dog)"
        try expectEqual(view.studio.value("SELECT name FROM Dog WHERE _id = \(back)"), name)
        try expectEqual(
          view.studio.value("SELECT count(*) FROM Person WHERE dog = \(back)"), linkCount)
        try expectEqual(
          view.studio.value("SELECT count(*) FROM Person_dogs WHERE value = \(back)"), elementCount)
      }
    }

    @Test func `A file that is only read offers nothing of it`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Dog")
        let content = "SELECT group_concat(_id || name || age) FROM Dog"
        let before = try view.studio.value(content)
        try await expectEqual(
          view.page.text("document.querySelector('#mode').textContent"), "read only")
        try await expectEqual(
          view.page.value("document.querySelector('.grid').ariaReadOnly"), "true")
        try await view.choose("name", of: 3)
        for key in ["F2", "Delete", "x"] { try await view.page.press(key) }
        try await view.page.press("Backspace", control: true)
        try await view.page.press("z", control: true)
        try await expectEqual(view.page.value("document.querySelector('.editor, dialog')"), .null)
        // Enter shows the object, which offers nothing either.
        try await view.page.press("Enter")
        try await view.page.until("document.querySelector('#panel h2')")
        try await view.page.press("F10", shift: true)
        try await view.page.until("document.querySelector('[role=menu]')")
        let words = try await view.page.list(
          "[...document.querySelectorAll('button, [role=menuitem]')].map(b => b.textContent + (b.title ?? ''))"
        ).compactMap(\.text)
        expectTrue(words.contains { $0.hasPrefix("Copy the cell") })
        for word in ["New", "Edit", "Delete", "Duplicate", "Set to nil", "Undo", "Redo", "Import"] {
          expectEqual(words.filter { $0.contains(word) }, [])
        }
        try expectEqual(view.studio.value(content), before)
      }
    }
  }
}
