import Foundation
import GRDB
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// Selected rows, also outside of the visible part, and operations on them.
  @Suite(.serialized) struct SelectingTests {
    private static let figures = "document.querySelector('#figures').textContent"

    private func edit(
      _ address: String = "#/Dog", expecting expected: [String] = [],
      _ body: (StudioPage) async throws -> Void
    ) async throws {
      try await StudioPage.with(
        try Scene.current.somePeople(), ["--write"], expecting: expected
      ) { view in
        try await view.show(address)
        try await body(view)
      }
    }

    /// Presses the button of the pointer on a row, with Ctrl.
    private func press(_ row: Int, in view: StudioPage) async throws {
      try await view.page.value(
        """
        [...document.querySelectorAll('.row:not(.loading)')].find(row => row.position === \(row)) \
        .children[1].dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, ctrlKey: true }))
        """)
    }

    private func selected(_ view: StudioPage) async throws -> [JSONValue] {
      try await view.page.list(
        "[...document.querySelectorAll('.row.selected')].map(row => row.position).sort()")
    }

    @Test func `Ctrl and a click as the first thing selects one row`() async throws {
      try await edit { view in
        try await press(6, in: view)
        try await expectEqual(selected(view), [6])
        try await press(3, in: view)
        try await expectEqual(selected(view), [3, 6])
        // A cell that was chosen before becomes part of the selection.
        try await view.choose("name", of: 2)
        try await press(4, in: view)
        try await expectEqual(selected(view), [1, 4])
      }
    }

    @Test func `All that match are selected, and deleted`() async throws {
      try await edit("#/Person") { view in
        let page = view.page
        try await page.until("\(Self.figures).startsWith('2,000 objects')")
        try await page.press("a", control: true)
        try await page.until("\(Self.figures).includes('2,000 selected')")
        try await page.press("Delete")
        try await page.until(
          "document.querySelector('dialog[open]').textContent.includes('Delete 2,000 Person?')")
        try await expectEqual(
          page.value(
            "document.querySelector('dialog[open]').textContent.includes('be brought back by undoing')"
          ), true)
        try await view.answer("Delete")
        try await view.untilFile(has: "0", "SELECT count(*) FROM Person")
        try await page.until("!\(Self.figures).includes('selected')")
      }
    }

    @Test func `Rows that were never in sight are selected with Shift`() async throws {
      try await edit("#/Person?sort=-name") { view in
        let page = view.page
        try await page.until("\(Self.figures).startsWith('2,000 objects')")
        try await page.click(".row .cell:nth-child(3)")
        try await page.press("End", control: true, shift: true)
        try await page.until("\(Self.figures).includes('2,000 selected')")
        try await page.press("Home", control: true)
        try await page.until("!\(Self.figures).includes('selected')")
      }
    }

    @Test func `Nothing is deleted if another program has changed one of them`() async throws {
      try await edit(expecting: ["409 (Conflict"]) { view in
        let page = view.page
        try await page.until("\(Self.figures).startsWith('100 objects')")
        try await page.press("a", control: true)
        try await page.until("\(Self.figures).includes('100 selected')")
        try await page.press("Delete")
        try await page.until("document.querySelector('dialog[open]')")
        try view.studio.execute("UPDATE Dog SET age = age + 1 WHERE _id = 77")
        try await view.answer("Delete")
        try await page.until(
          "document.querySelector('dialog[open]').textContent.includes('Another program changed one')"
        )
        try expectEqual(view.studio.value("SELECT count(*) FROM Dog"), "100")
      }
    }

    @Test func `A value is given to all that are selected`() async throws {
      try await edit { view in
        let page = view.page
        try await view.choose("age", of: 3)
        try await page.press("a", control: true)
        try await page.until("\(Self.figures).includes('100 selected')")
        try await page.value(
          """
          document.querySelector('.cell.active') \
          .dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
          """)
        try await view.pick("Set 'age' of 100 objects…")
        try await page.until("document.querySelector('dialog[open] input')")
        try await page.value("document.querySelector('dialog[open] input').value = '42'")
        try await view.answer("Save")
        try await view.untilFile(has: "100", "SELECT count(*) FROM Dog WHERE age = 42")
        try await page.press("z", control: true)
        try await view.untilFile(has: "0", "SELECT count(*) FROM Dog WHERE age = 42")
      }
    }

    @Test func `Keys that work everywhere begin no editing`() async throws {
      try await edit { view in
        try await view.choose("name", of: 3)
        try await view.page.press("?")
        try await view.page.until("document.querySelector('dialog[open] .keys')")
        try await view.answer("Close")
        try await view.page.until("!document.querySelector('dialog[open]')")
        try await view.page.press("/")
        try await view.page.until("document.activeElement.id === 'class-filter'")
        try await expectEqual(view.page.value("!document.querySelector('.editor')"), true)
      }
    }
  }
}
