import Foundation
import StrataStudio
import Testing

extension StudioPageTests {
  /// Conditions, and what others commit meanwhile.
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
        #expect(!asked.contains { $0.contains("/api/objects/") && $0.contains("where=") })
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
        #expect(rows == Array(1...20))
        #expect(
          try await view.rows().prefix(20).map(\.identity) == rows, "the last answer stays")
      }
    }

    @Test func `A commit of another process flashes its rows`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Dog")
        try await view.page.until("document.querySelector('#live').dataset.state === 'on'")
        try view.studio.execute("UPDATE Dog SET age = age + 1 WHERE _id = 3")
        try await view.page.until("document.querySelector('.cell.modified')")
        #expect(
          try await view.page.list(
            """
            [...document.querySelectorAll('.cell.modified')] \
            .map(cell => cell.parentElement.firstChild.textContent)
            """) == ["3"])
        try view.studio.execute("DELETE FROM Dog WHERE _id = 2")
        try await view.page.until("!\(StudioPage.rows).some(row => row[1] === 2)")
        try view.studio.execute("INSERT INTO Dog (_id, name, age) VALUES (2, 'Back', 1)")
        try await view.page.until("document.querySelector('.cell.inserted')")
        #expect(try await view.rows()[1].identity == 2)
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
        #expect(rows.contains { $0.identity == 1001 && $0.position == 995 })
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
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "strata-saved-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
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
        #expect(lines.first == "name,age,weight,bestFriend")
        #expect(lines.count > 1)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("Rex,") })
      }
    }
  }
}
