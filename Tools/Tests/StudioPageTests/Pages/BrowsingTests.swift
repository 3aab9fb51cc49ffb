import Foundation
import StrataStudio
import TestKit
import Testing

/// The page of the studio in a real browser. The tests check facts, and wait for conditions.
@Suite(.serialized, .scene, .enabled(if: Browser.isWanted, "there is no Chromium"))
enum StudioPageTests {}

extension StudioPageTests {
  /// Rows, and the navigation to them.
  @Suite(.serialized) struct BrowsingTests {
    @Test func `The first page of a million rows is there`() async throws {
      try await StudioPage.with(try Scene.current.millionPeople()) { view in
        try await view.show("#/Person")
        let rows = try await view.rows()
        expectEqual(rows.first?.identity, 1)
        expectTrue(rows.count > 20)
        try await view.page.until(
          "document.querySelector('#figures').textContent.startsWith('1,000,000 objects')")
        try await expectEqual(
          view.page.text("document.querySelector('[role=grid]').ariaRowCount"), "1000001")
      }
    }

    @Test func `Scrolling reaches the last object`() async throws {
      try await StudioPage.with(try Scene.current.millionPeople()) { view in
        try await view.show("#/Person")
        try await view.page.until(
          "document.querySelector('#figures').textContent.startsWith('1,000,000 objects')")
        try await view.page.click(".row .cell:nth-child(3)")
        try await view.page.press("End", control: true)
        try await view.page.until("\(StudioPage.rows).some(row => row[1] === 1000000)")
        try await view.page.press("Home", control: true)
        try await view.page.until("\(StudioPage.rows).some(row => row[1] === 1)")
        // In between, by the scroll bar.
        try await view.page.value(
          "(grid => grid.scrollTop = grid.scrollHeight * .73)(document.querySelector('.grid'))")
        try await view.page.until("\(StudioPage.rows)[0]?.[0] > 700000")
        for row in try await view.rows() { expectEqual(row.identity, row.position + 1) }
      }
    }

    @Test func `Every row is drawn once while scrolling up and down`() async throws {
      try await StudioPage.with(try Scene.current.millionPeople()) { view in
        try await view.show("#/Person")
        try await view.page.until(
          "document.querySelector('#figures').textContent.startsWith('1,000,000 objects')")
        var seen = Set(try await view.rows().map(\.identity))
        // Twenty rows each; two more are drawn above.
        var place = 0
        for step in Array(repeating: 1, count: 30) + Array(repeating: -1, count: 15) {
          place += step
          try await view.page.wheel(by: step * 560)
          try await view.page.until(
            "\(StudioPage.rows)[0]?.[0] === \(place * 20 - 2) && !document.querySelector('.row.loading')"
          )
          let rows = try await view.rows()
          for row in rows { expectEqual(row.identity, row.position + 1) }
          expectEqual(Set(rows.map(\.position)).count, rows.count)
          seen.formUnion(rows.map(\.identity))
        }
        expectEqual(seen, Set(1...Int64(seen.count)), "none was left out")
        expectTrue(seen.count > 550)
      }
    }

    @Test func `A sorted million is scrolled by position`() async throws {
      try await StudioPage.with(try Scene.current.millionPeople()) { view in
        try await view.show("#/Person?sort=-age")
        try await view.page.until(
          "document.querySelector('#figures').textContent.startsWith('1,000,000 objects')")
        try await view.page.value(
          "(grid => grid.scrollTop = grid.scrollHeight * .5)(document.querySelector('.grid'))")
        try await view.page.until("\(StudioPage.rows)[0]?.[0] > 400000")
        let ages = try await view.page.list(
          """
          (heads => [...document.querySelectorAll('.row:not(.loading)')] \
          .sort((a, b) => a.position - b.position) \
          .map(row => +[...row.children].find(cell => cell.ariaColIndex === heads).textContent)) \
          (document.querySelector('[aria-sort=descending]').ariaColIndex)
          """
        ).compactMap(\.integer)
        expectTrue(ages.count > 20)
        expectEqual(ages, ages.sorted(by: >))
      }
    }

    @Test func `A link leads to its object and back`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Visit")
        let heading = "document.querySelector('#panel h2')?.textContent"
        let label = try #require(
          try await view.page.text("document.querySelector('.row a.chip').textContent"))
        try await view.page.click(".row a.chip")
        try await view.page.until("\(heading) === \(JSONText.of(label))")
        try await view.page.click("#panel .incoming a.chip")
        try await view.page.until("\(heading) && \(heading) !== \(JSONText.of(label))")
        try await view.page.click("#panel [aria-label=Back]")
        try await view.page.until("\(heading) === \(JSONText.of(label))")
      }
    }

    @Test func `Keys reach every cell`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Dog")
        try await view.page.value("document.querySelector('.grid').focus()")
        let active = """
          (cell => cell.ariaColIndex + ' ' + cell.parentElement.ariaRowIndex)(document \
          .getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant')))
          """
        var cells: Set<String> = []
        for _ in 0..<3 {
          try await view.page.press("Home")
          for _ in 0..<5 {
            cells.insert(try #require(try await view.page.text(active)))
            try await view.page.press("ArrowRight")
          }
          try await view.page.press("ArrowDown")
        }
        expectEqual(cells.count, 15)
        // Up from the first row are the heads, where Enter sorts.
        try await view.page.press("Home", control: true)
        try await view.page.press("ArrowUp")
        try await view.page.until("document.querySelector('.column.active')")
        try await view.page.press("ArrowRight")
        try await view.page.press("Enter")
        try await view.page.until(
          "document.querySelector('[aria-sort=ascending] .name')?.textContent === 'name'")
        try await view.page.until(StudioPage.isReady)
      }
    }

    @Test func `The object at the side keeps nobody from leaving`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person?open=2", until: "document.querySelector('#panel .fields')")
        // The page hears of the new address a moment later.
        try await view.page.value(
          """
          location.hash = '#/Dog';
          document.querySelector('#panel [aria-label^=Close]').click();
          """)
        try await view.page.until(
          "document.querySelector('.grid')?.ariaLabel === 'Objects of Dog' && \(StudioPage.isReady)"
        )
        try await expectEqual(view.page.text("location.hash"), "#/Dog")
      }
    }

    @Test func `The address opens the same view again`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person?where=age%20%3E%2050&sort=-age,name")
        let rows = try await view.rows().map(\.identity)
        let address = try #require(try await view.page.text("location.href"))
        expectFalse(address.contains("key="), "the key has left the address")
        try await view.page.send("Page.reload")
        try await view.page.until("document.readyState === 'complete' && \(StudioPage.isReady)")
        try await expectEqual(view.rows().map(\.identity), rows)
        try await expectEqual(view.page.text("location.href"), address)
        try await expectEqual(
          view.page.text("document.querySelector('.query textarea').value"), "age > 50")
        let sorted = try await view.page.list(
          """
          [...document.querySelectorAll('[aria-sort=ascending],[aria-sort=descending]')] \
          .map(head => head.querySelector('.name').textContent + ' ' + head.ariaSort)
          """
        ).compactMap(\.text)
        expectEqual(Set(sorted), ["name ascending", "age descending"])
      }
    }
  }
}
