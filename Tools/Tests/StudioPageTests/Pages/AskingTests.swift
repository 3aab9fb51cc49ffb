import Foundation
import GRDB
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// Conditions, and concurrent commits of others.
  @Suite(.serialized) struct AskingTests {
    @Test func `A condition is asked with Enter only`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person")
        try await view.page.press("f", control: true)
        try await view.page.type("age > 50")
        // The words that may follow are there: the page has seen each key.
        try await view.page.until("document.querySelector('.query textarea').value === 'age > 50'")
        try await view.page.until("!document.querySelector('.query .problem:not([hidden])')")
        let asked = await view.page.addresses
        expectFalse(asked.contains { $0.contains("/api/objects/") && $0.contains("where=") })
        try await view.page.press("Enter")
        try await view.page.until("location.hash.includes('where') && \(StudioPage.isReady)")
        try await view.page.until(
          "document.querySelector('#figures').textContent.includes(' of 2,000 objects')")
      }
    }

    @Test func `A wrong condition is underlined at its column`() async throws {
      try await StudioPage.with(
        try Scene.current.somePeople(), expecting: ["400 (Bad Request)"]
      ) { view in
        try await view.show("#/Person")
        let rows = try await view.rows().prefix(20).map(\.identity)
        try await view.page.press("f", control: true)
        try await view.page.type("name == 'x' AND agee > 3")
        try await view.page.until("document.querySelector('.wrong')?.textContent === 'agee'")
        try await view.page.press("Enter")
        try await view.page.until(
          """
          document.querySelector('.query .problem.asked')?.textContent \
          .includes("Property 'agee' not found")
          """)
        expectEqual(rows, Array(1...20))
        try await expectEqual(
          view.rows().prefix(20).map(\.identity), rows, "the last answer stays")
      }
    }

    @Test func `Words that may follow are below the sentence about a mistake`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person")
        try await view.page.press("f", control: true)
        try await view.page.type("agee > 3 AND a")
        try await view.page.until(
          "document.querySelector('.query .problem:not([hidden])') && document.querySelector('.completion li')"
        )
        try await expectEqual(
          view.page.value(
            """
            document.querySelector('.query .problem').getBoundingClientRect().bottom \
            <= document.querySelector('.completion').getBoundingClientRect().top
            """), true)
      }
    }

    @Test func `Many pages that are seen at once hear of commits`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        var pages = [view.page]
        // A browser has six connections for a host.
        for _ in 0..<7 {
          let page = try await view.page.neighbour()
          try await page.go(to: "\(view.studio.origin)/#/Dog")
          pages.append(page)
        }
        try await view.show("#/Dog")
        for page in pages {
          try await page.until(StudioPage.isReady)
          try await page.until("document.querySelector('#live').dataset.state === 'on'")
        }
        try view.studio.execute("UPDATE Dog SET name = 'First' WHERE _id = 1")
        let isHeard = "document.querySelector('.row').textContent.includes('First')"
        for page in pages { try await page.until(isHeard) }
        // The page that owned the shared stream may close.
        try await view.page.go(to: "about:blank")
        for page in pages.dropFirst().prefix(3) { try await page.leave() }
        try view.studio.execute("UPDATE Dog SET name = 'Second' WHERE _id = 1")
        for page in pages.dropFirst(4) {
          try await page.until("document.querySelector('.row').textContent.includes('Second')")
          try await page.leave()
        }
      }
    }

    @Test func `Another file that is copied over the one that is shown is told`() async throws {
      let file = try Scene.current.somePeople()
      let other = try Scene.current.somePeople()
      try await StudioPage.with(file) { view in
        let page = view.page
        try await view.show("#/Dog")
        try await page.until("document.querySelector('#live').dataset.state === 'on'")
        let queue = try DatabaseQueue(path: other.path)
        try await queue.write { db in
          try db.execute(
            sql: """
              UPDATE Dog SET name = 'Other' WHERE _id = 1;
              UPDATE strata_schema_version SET migrated_at = '2001-02-03 04:05:06.789'
              """)
        }
        try queue.close()
        // As 'cp' does: into the same file.
        try Data(contentsOf: other).write(to: file)
        try await page.until(
          """
          document.querySelector('#notices').textContent \
          .startsWith('Another file was put in the place of this one.')
          """)
        try await page.click("#notices .notice button")
        try await page.until("document.querySelector('.row').textContent.includes('Other')")
        try await page.until("document.querySelectorAll('.notice').length === 0")
      }
    }

    @Test func `A commit of another process flashes its rows`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Dog")
        try await view.page.until("document.querySelector('#live').dataset.state === 'on'")
        try view.studio.execute("UPDATE Dog SET age = age + 1 WHERE _id = 3")
        try await view.page.until("document.querySelector('.cell.modified')")
        try await expectEqual(
          view.page.list(
            """
            [...document.querySelectorAll('.cell.modified')] \
            .map(cell => cell.parentElement.firstChild.textContent)
            """), ["3"])
        try view.studio.execute("DELETE FROM Dog WHERE _id = 2")
        try await view.page.until("!\(StudioPage.rows).some(row => row[1] === 2)")
        try view.studio.execute("INSERT INTO Dog (_id, name, age) VALUES (2, 'Back', 1)")
        try await view.page.until("document.querySelector('.cell.inserted')")
        try await expectEqual(view.rows()[1].identity, 2)
      }
    }

    @Test func `The first visible object stays where it is`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person")
        try await view.page.until("document.querySelector('#live').dataset.state === 'on'")
        try await view.page.value("document.querySelector('.grid').scrollTop = 28000")
        let first = "\(StudioPage.rows).find(row => row[0] >= 1000)?.[1]"
        try await view.page.until("\(first) === 1001 && !document.querySelector('.row.loading')")
        // Five before it go, and one that is seen.
        try view.studio.execute("DELETE FROM Person WHERE _id IN (7, 8, 9, 10, 11, 1005)")
        try await view.page.until("!\(StudioPage.rows).some(row => row[1] === 1005)")
        let rows = try await view.rows()
        expectTrue(rows.contains { $0.identity == 1001 && $0.position == 995 })
        // Rows that go are closed up little by little.
        try await view.page.until(
          """
          (grid => Math.round([...grid.querySelectorAll('.row')] \
          .find(row => row.firstChild.textContent === '1001').getBoundingClientRect().top \
          - grid.querySelector('.grid-heads').getBoundingClientRect().bottom)) \
          (document.querySelector('.grid')) === 0
          """)
      }
    }

    @Test func `An answer is saved as a file`() async throws {
      let temporary = try ScratchFolder()
      defer { withExtendedLifetime(temporary) {} }
      let folder = temporary.url
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.page.saveFiles(in: folder)
        try await view.show("#/Dog?where=name%20%3D%3D%20%27Rex%27")
        try await view.page.press("s", control: true)
        try await view.page.click("[role=menuitem]")
        let saved = folder.appendingPathComponent("Dog.csv")
        try await view.page.until("the file is saved") {
          FileManager.default.fileExists(atPath: saved.path)
        }
        let lines = try String(contentsOf: saved, encoding: .utf8).split(separator: "\n")
        expectEqual(lines.first, "name,age,weight,bestFriend")
        expectTrue(lines.count > 1)
        expectTrue(lines.dropFirst().allSatisfy { $0.hasPrefix("Rex,") })
      }
    }
  }
}
