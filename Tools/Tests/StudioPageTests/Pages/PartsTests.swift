import Foundation
import Strata
import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// Single parts of the page, and settings that outlive the page.
  @Suite(.serialized) struct PartsTests {
    /// The results of a closure of JavaScript for some texts; what it throws is a text with `!`.
    private func results(
      of script: String, in module: String, for inputs: [JSONValue], _ page: BrowserPage
    ) async throws -> [JSONValue] {
      try await page.list(
        """
        import('/\(module)').then((module) => \(JSONValue.array(inputs)).map((input) => {
          try { return (\(script))(module, input); } catch (error) { return '!' + error.message; }
        }))
        """)
    }

    @Test func `What is typed is a value of its type, or refused`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        func read(_ type: String, _ texts: [JSONValue]) async throws -> [JSONValue] {
          try await results(
            of: "(module, text) => module.readText('\(type)', text)", in: "fields.js", for: texts,
            view.page)
        }
        let bools = try await read("bool", ["true", "YES", "1", "no", "0"])
        expectEqual(
          bools,
          [
            true, true, true, false, false,
          ])
        for word in ["banana", "on", "", " "] {
          let refused = try await read("bool", [.text(word)])
          expectEqual(
            refused, [.text("!'\(word)' is no Bool. Write 'true' or 'false'.")])
        }
        let doubles = try await read("double", ["1.5", "-.5", "1e3", "inf", "-Infinity", "5."])
        expectEqual(
          doubles, [.number(1.5), .number(-0.5), 1000, "Infinity", "-Infinity", 5])
        let wrong = try await read("double", ["0x10", "1e400", "", "NaN", "1,5", "0b1"])
        expectEqual(
          wrong,
          [
            "!'0x10' is no number. Write it with a point: 1.5.",
            "!1e400 is more than a Double can hold. Write 'inf' for infinity.",
            "!'' is no number. Write it with a point: 1.5.",
            "!'NaN' is no number. Write it with a point: 1.5.",
            "!'1,5' is no number. Write it with a point: 1.5.",
            "!'0b1' is no number. Write it with a point: 1.5.",
          ])
      }
    }

    @Test func `A text keeps its ends of lines`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let texts = ["a\nb", "a\r\nb\r\n", "cr\ronly", "a\r\nb\rc\nd", "plain"]
        for isLong in [true, false] {
          let changed = try await results(
            of: """
              (module, text) => {
                const property = { name: 'a', type: 'string', optional: false };
                const field = module.valueField(property, text, { lines: \(isLong) });
                field.input.value += '!';
                return field.read();
              }
              """, in: "fields.js", for: isLong ? texts.map { .text($0) } : ["plain"], view.page)
          expectEqual(changed, (isLong ? texts.map { .text($0 + "!") } : ["plain!"]))
        }
      }
    }

    @Test func `What is typed into a box is a condition`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        func conditions(
          _ type: String, _ texts: [JSONValue], name: String = "a", target: String = ""
        ) async throws -> [JSONValue] {
          try await results(
            of: """
              (module, text) => module.filterCondition( \
              { name: '\(name)', type: '\(type)', target: '\(target)', optional: true }, text)
              """, in: "filter.js", for: texts, view.page)
        }
        let numbers = try await conditions(
          "int", ["5", " >5", "<= -3", "!=0", "3..8", "", "nil", "x", ">"])
        expectEqual(
          numbers,
          [
            "a == 5", "a > 5", "a <= -3", "a != 0", "a >= 3 AND a <= 8", .null, "a == nil",
            "!Write a number: 5, >5, 3..8.", "!Write a number: 5, >5, 3..8.",
          ])
        let texts = try await conditions("string", ["ines", "O'Brien \\", "nil"])
        expectEqual(
          texts,
          [
            "a CONTAINS[cd] 'ines'", #"a CONTAINS[cd] 'O\'Brien \\'"#, "a CONTAINS[cd] 'nil'",
          ])
        let words = try await conditions("bool", ["t", "no", "x"])
        expectEqual(
          words, ["a == true", "a == false", "!Write 'true' or 'false'."])
        let links = try await conditions("object", ["rex"], name: "limit", target: "Dog")
        expectEqual(
          links, ["#limit.name CONTAINS[cd] 'rex'"])
      }
    }

    @Test func `A link has a condition where its label is all of a text`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        // A class of whose usual names none is a text.
        try await view.page.value(
          """
          import('/model.js').then(({ model }) => {
            const properties = [
              { name: 'title', type: 'string', collection: 'list' }, { name: 'name', type: 'int' },
              { name: 'code', type: 'string' },
            ];
            model.classes.set('Odd', { name: 'Odd', kind: 'object', properties, primaryKey: null });
          })
          """)
        let long = String(repeating: "x", count: 80)
        for (target, expected) in [("Dog", "a.name == 'Rex'"), ("Odd", .null)] as [(_, JSONValue)] {
          let conditions = try await results(
            of: """
              (module, label) => module.condition( \
              { name: 'a', type: 'object', target: '\(target)' }, { id: 7, label })
              """, in: "values.js", for: ["Rex", "Dog 7", .text(long)], view.page)
          expectEqual(conditions, [expected, .null, .null])
        }
        let labels = try await results(
          of: "(module, id) => module.labelOf('Odd', { id, values: [{ count: 1 }, 5, 'k'] })",
          in: "values.js", for: [7], view.page)
        expectEqual(labels, ["k"])
      }
    }

    @Test func `Boxes below the heads narrow the answer while one types`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let page = view.page
        try await view.show("#/Dog")
        try await expectEqual(
          page.value("document.querySelector('.grid-filters').offsetHeight === 0"), true
        )
        try await page.press("F", control: true, shift: true)
        try await page.until("document.activeElement.getAttribute('aria-label') === 'Filter name'")
        try await page.type("LA")
        try await page.until(
          "document.querySelector('.query textarea').value === \"name CONTAINS[cd] 'LA'\"")
        try await page.until(
          """
          document.querySelector('#figures').textContent.includes('of 100 objects') && \
          [...document.querySelectorAll('.row:not(.loading)')].every( \
          row => /la/i.test(row.children[1].textContent))
          """)
        try await expectEqual(
          page.value(
            "document.activeElement.getAttribute('aria-label') === 'Filter name'"), true)
        // Beside what the bar has asked.
        try await page.press("Escape")
        try await page.until("document.querySelector('.query textarea').value === ''")
        try await page.value(
          """
          (box => { box.focus(); box.value = '3..8'; box.dispatchEvent(new Event('input')); }) \
          (document.querySelector('.filter[aria-label="Filter age"]'))
          """)
        try await page.until(
          "document.querySelector('.query textarea').value === 'age >= 3 AND age <= 8'")
        try await page.until(
          "location.hash.includes('where=age')")
        try await page.press("F", control: true, shift: true)
        try await page.until("document.querySelector('.query textarea').value === ''")
      }
    }

    @Test func `Columns and earlier conditions last, whatever the port is`() async throws {
      let file = try Scene.current.somePeople()
      let state = file.deletingLastPathComponent().appendingPathComponent("state")
      try await StudioPage.with(file, state: state) { view in
        try await view.show("#/Dog?where=age%20%3E%203")
        try await view.page.click("[aria-label='Columns']")
        try await view.pick("weight")
        try await view.page.until("document.querySelectorAll('.column').length === 4")
        try await view.page.click(".query textarea")
        try await view.page.press("Enter")
        try await view.page.until("fetch('/').then(() => true)")
      }
      try await StudioPage.with(file, state: state) { view in
        try await view.page.until("document.querySelectorAll('.column').length === 4")
        try await expectEqual(view.page.value("location.hash === '#/Dog'"), true)
        try await view.page.click(".query textarea")
        try await view.page.press("ArrowUp")
        try await view.page.until("document.querySelector('.query textarea').value === 'age > 3'")
      }
    }

    @Test func `A grid that was at the end of many rows is at the end of fewer`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let top = try await view.page.value(
          """
          import('/viewport.js').then(({ Viewport, rowHeight }) => {
            const [element, heads, body] = ['div', 'div', 'div'].map(tag => document.createElement(tag));
            element.style.cssText = 'height: 500px; overflow: auto';
            element.append(heads, body);
            document.body.append(element);
            const view = new Viewport({ element, heads, body, moved: () => {} });
            view.setTotal(1000000);
            view.scrollTo(Infinity);
            view.setTotal(500000);
            const { from, to } = view.range;
            element.remove();
            return from < 500000 && to === 500000;
          })
          """)
        expectEqual(top, true)
      }
    }

    @Test func `A file is imported with the links between its objects`() async throws {
      try await StudioPage.with(try Scene.current.somePeople(), ["--write"]) { view in
        let page = view.page
        try await view.show("#/Dog")
        try await page.value(
          "import('/import.js').then(({ openImport }) => { openImport('Dog'); })")
        try await page.until("document.querySelector('dialog[open] input[type=file]')")
        try await page.value(
          """
          (() => {
            const text = '_id;name;Age;bestFriend;x\\n7;Zorro;3;8\\n8;Quixote;4;7\\n';
            const files = new DataTransfer();
            files.items.add(new File([text], 'dogs.csv'));
            const input = document.querySelector('dialog[open] input[type=file]');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
          })()
          """)
        try await page.until(
          "document.querySelector('dialog[open]').textContent.includes('2 of 2 rows are fine')")
        let chosen = try await page.list(
          """
          [...document.querySelectorAll('dialog[open] select')] \
          .map(select => select.selectedOptions[0].textContent)
          """)
        expectEqual(chosen, ["identity", "name", "age", "bestFriend", "left out"])
        try await view.answer("Import")
        try await view.untilFile(
          has: "Quixote",
          "SELECT f.name FROM Dog AS d JOIN Dog AS f ON f._id = d.bestFriend WHERE d.name = 'Zorro'"
        )
      }
    }

    private final class Extra: Object {
      @Persisted var name = ""
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
      override class func _realmObjectName() -> String? { "Extra" }
    }

    @Test func `A migrated file is loaded again once`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let page = view.page
        try await page.until("document.querySelector('#live').dataset.state === 'on'")
        let configuration = Realm.Configuration(
          fileURL: view.studio.file, schemaVersion: 4, objectTypes: People.types + [Extra.self])
        try Realm.performMigration(for: configuration)
        let notice = "document.querySelector('#notices').textContent.includes('migrated')"
        try await page.until(notice)
        // Each connection hears of it again.
        try await page.value("document.dispatchEvent(new Event('visibilitychange'))")
        try await page.until("document.querySelector('#live').dataset.state === 'on'")
        try await expectEqual(page.value("document.querySelectorAll('.notice').length === 1"), true)
        try await view.press("Load again", in: ".notice")
        try await page.until(
          """
          [...document.querySelectorAll('#class-list a')] \
          .some(item => item.textContent === 'Extra0')
          """)
        try view.studio.execute("INSERT INTO Extra (name) VALUES ('a')")
        try await page.until(
          """
          [...document.querySelectorAll('#class-list a')] \
          .some(item => item.textContent === 'Extra1')
          """)
        try await expectEqual(page.value("!\(notice)"), true)
      }
    }
  }
}
