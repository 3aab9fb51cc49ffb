import StrataStudio
import TestKit
import Testing

extension StudioPageTests {
  /// The appearance of the page, and its accessibility.
  @Suite(.serialized) struct LookTests {
    @Test(arguments: [false, true])
    func `Dark and light have enough contrast`(isDark: Bool) async throws {
      try await StudioPage.with(
        try Scene.current.somePeople()
      ) { view in
        try await view.page.setDark(isDark)
        try await view.show(
          "#/Person?open=2", until: "document.querySelector('#panel .fields')")
        try await expectContrast(view)
        try await view.show(
          "#/Dog?where=age%20%3E%205")
        try await expectContrast(view)
        let content = "document.querySelector('.page-content > :not(.ghosts)')"
        for name in ["versions", "file", "diagram", "problems"] {
          try await view.show("#/\(name)", until: content)
          try await expectContrast(view)
        }
      }
    }

    /// Texts whose colour is too near to the one behind them.
    private func expectContrast(_ view: StudioPage) async throws {
      let count = try await view.page.value("(\(Self.contrast)).seen")
      try expectTrue(#require(count.integer) > 20)
      try await expectEqual(view.page.value("(\(Self.contrast)).faint"), [])
    }

    private static let contrast = """
      (() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const luminance = colour => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
          return .2126 * r + .7152 * g + .0722 * b;
        };
        const isClear = colour => /rgba\\(0, 0, 0, 0\\)|transparent/.test(colour);
        const behind = element => {
          for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!isClear(colour)) return colour;
          }
          return '#fff';
        };
        const faint = [];
        let seen = 0;
        for (const element of document.querySelectorAll('body *')) {
          const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
          if (!hasText || !element.offsetParent || element.closest('[disabled], .mirror')) continue;
          seen += 1;
          const both = [luminance(getComputedStyle(element).color), luminance(behind(element))];
          const ratio = (Math.max(...both) + .05) / (Math.min(...both) + .05);
          if (ratio < 4.5) faint.push(`${element.className} ${element.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
        }
        return { seen, faint };
      })()
      """

    @Test func `Roles and names are complete`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.show("#/Person")
        let tree = try await view.page.send("Accessibility.getFullAXTree")
        let nodes = try #require(tree["nodes"]?.array).filter { $0["ignored"] != .bool(true) }
        let roles = nodes.compactMap { $0["role"]?["value"]?.text }
        for role in ["grid", "row", "gridcell", "columnheader", "rowheader", "navigation"] {
          expectTrue(roles.contains(role), "\(role)")
        }
        let named: Set = [
          "button", "textbox", "combobox", "searchbox", "link", "grid", "navigation", "img",
          "dialog",
        ]
        let nameless = nodes.compactMap { node -> String? in
          guard let role = node["role"]?["value"]?.text, named.contains(role),
            node["name"]?["value"]?.text?.isEmpty ?? true
          else { return nil }
          return role
        }
        expectEqual(nameless, [])
        try await expectEqual(
          view.page.value(
            """
            [...document.querySelectorAll('.grid, .grid *')].filter(one => one.tabIndex >= 0).length
            """), 1, "the grid is one stop of the tabulator")
      }
    }

    @Test func `A narrow window shows the classes on demand`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        try await view.page.resize(width: 640, height: 700)
        try await view.page.until("document.querySelector('#drawer').offsetParent")
        try await expectEqual(
          view.page.value(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true)
        try await view.page.click("#drawer")
        try await view.page.until("document.querySelector('#drawer').ariaExpanded === 'true'")
        try await view.page.until(
          "document.querySelector('#side').getBoundingClientRect().left >= 0")
      }
    }
  }
}
