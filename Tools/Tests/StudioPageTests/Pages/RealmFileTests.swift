import Foundation
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// Files of Realm; the page shows a copy of them.
  @Suite(.serialized) struct RealmFileTests {
    private static let file = SourceTests.package.appendingPathComponent(
      "Tests/StrataRealmFileTests/Files/all-types.realm")

    @Test func `Values of a file of Realm that had to be changed are listed`() async throws {
      try await StudioPage.with(Self.file) { view in
        try await expectEqual(
          view.page.text("document.querySelector('#file-facts a').textContent"),
          "32 values shown differently")
        try await view.page.click("#file-facts a")
        try await view.page.until("document.querySelectorAll('#main li').length === 32")
        try await expectEqual(
          view.page.text("document.querySelector('#main li').textContent"),
          "Lists.listFloat of object 2: a number that is NaN")
        try await view.page.click("#main li a")
        try await view.page.until("document.querySelector('.fields .differs')")
      }
    }

    @Test func `A value that had to be changed is marked in its cell`() async throws {
      try await StudioPage.with(Self.file) { view in
        let text = "In the file of Realm: a number that is NaN"
        try await view.show("#/Lists/2", until: "document.querySelector('.fields .differs')")
        try await expectEqual(
          view.page.text("document.querySelector('.fields .differs').title"), text)
        try await view.show("#/Lists")
        let marks = try await view.page.list(
          """
          [...document.querySelectorAll('.cell .differs')].map(mark => [ \
          mark.closest('.row').firstChild.textContent, \
          document.querySelector(`.column[aria-colindex="${mark.closest('.cell').ariaColIndex}"] .name`).textContent, \
          mark.title, mark.ariaLabel, mark.textContent].join('|'))
          """
        ).compactMap(\.text)
        expectTrue(marks.contains("2|listFloat|\(text)|\(text)|≈"))
      }
    }

    @Test func `A file that changes under its copy is told, with what to do`() async throws {
      let own = try Scene.current.ownFolder().appendingPathComponent("default.realm")
      try FileManager.default.copyItem(at: Self.file, to: own)
      try await StudioPage.with(own, expecting: ["503 (Service Unavailable)"]) { view in
        try await view.page.until("document.querySelector('#live').dataset.state === 'on'")
        try await expectEqual(view.page.text("document.querySelector('#notices').textContent"), "")
        let handle = try FileHandle(forWritingTo: own)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let start = ContinuousClock.now
        try await view.page.until(
          """
          document.querySelector('#notices').textContent.startsWith('The file of Realm has changed \
          since it was read: the page shows it as it was.')
          """)
        expectTrue(ContinuousClock.now - start < .seconds(5))
        // A file that isn't one of Realm any more stays on the page as it was.
        try Data("no file of Realm".utf8).write(to: own)
        try await view.page.click("#notices .notice button")
        try await view.page.until(
          """
          document.querySelector('#notices .mistake')?.textContent.startsWith("The file can't be read \
          again, so the page shows it as it was. ")
          """)
        try await view.show("#/Lists/2", until: "document.querySelector('.fields .differs')")
      }
    }

    @Test func `A file that has changed is read again where the user wants it`() async throws {
      let own = try Scene.current.ownFolder().appendingPathComponent("default.realm")
      try FileManager.default.copyItem(at: Self.file, to: own)
      try await StudioPage.with(own) { view in
        try await view.page.until("document.querySelector('#live').dataset.state === 'on'")
        for name in ["links.realm", "all-types.realm", "links.realm"] {
          let bytes = try Data(
            contentsOf: Self.file.deletingLastPathComponent().appendingPathComponent(name))
          try bytes.write(to: own)
          try await view.page.until("document.querySelector('#notices .told button')")
          let classes = "document.querySelector('#class-list').textContent"
          let before = try #require(try await view.page.text(classes))
          try await view.page.click("#notices .told button")
          try await view.page.until("\(classes) !== \(JSONText.of(before))")
          try await view.page.until("document.querySelector('#main .row:not(.loading)')")
          // The class that was shown isn't in the other file; the page says that, and no more.
          try await view.page.until("!document.querySelector('#notices .told')")
        }
      }
    }
  }
}
