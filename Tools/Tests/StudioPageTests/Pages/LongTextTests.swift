import Foundation
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// Long texts, whose cells show only the start: the whole text is edited and copied.
  @Suite(.serialized) struct LongTextTests {
    private static let x500 = "printf('%.*c', 500, 'x')"
    private static let isEditing = "document.querySelector('dialog[open] textarea')"

    private func edit(_ body: (StudioPage) async throws -> Void) async throws {
      try await StudioPage.with(
        try Scene.current.somePeople(), ["--write", "--no-backup"], body)
    }

    /// Puts a text at the end of that in the dialog, and saves.
    private func append(_ text: String, _ view: StudioPage) async throws {
      try await view.page.until(Self.isEditing)
      try await view.page.value(
        "(field => field.setSelectionRange(field.value.length, field.value.length))(\(Self.isEditing))"
      )
      try await view.page.type(text)
      try await view.answer("Save")
    }

    @Test func `A text in an AnyRealmValue is edited in full`() async throws {
      try await edit { view in
        try view.studio.execute(
          "UPDATE Person SET note = \(Self.x500), note_type = 'string' WHERE _id = 1")
        try await view.show("#/Person?columns=name,note")
        try await view.choose("note", of: 1)
        try await view.page.press("Enter")
        try await append("!", view)
        try await view.untilFile(
          has: "1", "SELECT note = \(Self.x500) || '!' FROM Person WHERE _id = 1")
      }
    }

    @Test func `A text of a page and one of a set are edited in full`() async throws {
      try await edit { view in
        let x120000 = "printf('%.*c', 120000, 'x')"
        try view.studio.execute(
          """
          UPDATE Person SET bio = \(x120000) WHERE _id = 1; DELETE FROM Person_tags WHERE owner = 1;
          INSERT INTO Person_tags (owner, value) VALUES (1, 'a'), (1, \(Self.x500))
          """)
        try await view.show("#/Person/1", until: "document.querySelectorAll('.elements.set li')[1]")
        let element = "[...document.querySelectorAll('.elements.set li')][1]"
        try await expectEqual(
          view.page.text("\(element).querySelector('.element').textContent"),
          String(repeating: "x", count: 200) + "…")
        let edit = ".find(button => button.textContent === 'Edit').click()"
        try await view.page.value("[...\(element).querySelectorAll('button')]\(edit)")
        try await append("!", view)
        try await view.untilFile(
          has: "1",
          "SELECT count(*) FROM Person_tags WHERE owner = 1 AND value = \(Self.x500) || '!'")
        try expectEqual(view.studio.value("SELECT count(*) FROM Person_tags WHERE owner = 1"), "2")
        try await view.page.value(
          """
          [...[...document.querySelectorAll('.fields > dt')].find(name => name.firstChild.textContent === 'bio') \
          .nextElementSibling.querySelectorAll('button')]\(edit)
          """)
        try await append("?", view)
        try await view.untilFile(
          has: "1", "SELECT bio = \(x120000) || '?' FROM Person WHERE _id = 1")
      }
    }

    @Test func `A duplicate has all of each text, with its lines`() async throws {
      try await edit { view in
        try view.studio.execute(
          """
          UPDATE Person SET bio = \(Self.x500), email = 'a' || char(13, 10) || 'b' WHERE _id = 1
          """)
        try await view.show("#/Person")
        try await view.choose("name", of: 1)
        try await view.page.press("F10", shift: true)
        try await view.pick("Duplicate")
        try await view.answer("Create")
        try await view.untilFile(
          has: "2",
          """
          SELECT count(*) FROM Person WHERE bio = \(Self.x500) AND email = 'a' || char(13, 10) || 'b'
          """)
      }
    }

    @Test func `What is copied has all of each text`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try view.studio.execute(
          "UPDATE Person SET bio = 'a' || char(0) || \(Self.x500) WHERE _id = 1")
        try await view.show("#/Person?columns=name,bio")
        try await view.page.value(
          "navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        let text = "a\u{0}" + String(repeating: "x", count: 500)
        try await view.choose("bio", of: 1)
        try await view.page.press("c", control: true)
        try await view.page.until("window.copied")
        try await expectEqual(view.page.text("copied"), text)
        for (item, copied) in [
          ("JSON", "\"bio\": \"a\\u0000xxx"), ("CSV", ",\(text)\n"),
        ] {
          try await view.page.value("window.copied = null")
          try await view.page.press("F10", shift: true)
          try await view.pick("Copy the row as \(item)")
          try await view.page.until("window.copied")
          let found = try #require(try await view.page.text("copied"))
          expectTrue(found.contains(copied))
          expectTrue(found.contains(String(repeating: "x", count: 500)))
        }
      }
    }

    @Test func `An object is copied with all of its texts and elements`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try view.studio.execute(
          """
          UPDATE Person SET bio = \(Self.x500), note = \(Self.x500), note_type = 'string' WHERE _id = 1;
          DELETE FROM Person_tags WHERE owner = 1;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
          INSERT INTO Person_tags (owner, value)
          SELECT 1, 'tag ' || i || iif(i % 500 = 0, \(Self.x500), '') FROM n
          """)
        try await view.show("#/Person/1", until: "document.querySelector('.elements.set li')")
        try await view.page.value(
          "navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        for item in ["JSON", "Swift"] {
          try await view.page.value("window.copied = null")
          try await view.press("Copy", in: ".object-head")
          try await view.pick("Copy as \(item)")
          try await view.page.until("window.copied")
          let copied = try #require(try await view.page.text("copied"))
          let long = String(repeating: "x", count: 500)
          expectEqual(copied.components(separatedBy: long).count, 1 + 2 + 3, "\(item)")
          expectTrue(copied.contains("\"tag 1499\""), "\(item)")
          expectTrue(copied.contains("\"tag 1500\(long)\""), "\(item)")
        }
      }
    }
  }
}
