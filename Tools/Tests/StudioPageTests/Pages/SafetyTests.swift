import Foundation
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StudioPageTests {
  /// Attacks by the contents of a file, and by other pages.
  @Suite(.serialized) struct SafetyTests {
    /// Elements that only the texts of the file could have made.
    private static let made = """
      document.querySelectorAll('img[onerror], script:not([src]), foreignObject, b').length
      """

    @Test func `Nothing of a hostile file becomes an element`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let page = view.page
        let name = "#/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
        // The page begins with the first class, which is this one.
        try await view.show("#/Person")
        try await view.show(name)
        try await page.until(
          "document.querySelector('.row').textContent.includes('\(People.element)')")
        try await expectEqual(page.value(Self.made), 0)
        try await view.show("\(name)/1", until: "document.querySelector('.object-page .fields')")
        try await page.until(
          "document.querySelector('.fields').textContent.includes('alert(3)')")
        try await expectEqual(page.value(Self.made), 0)
        try await view.show("#/diagram", until: "document.querySelector('.diagram svg g.box')")
        try await expectEqual(page.value(Self.made), 0)
        try await expectEqual(
          page.value(
            """
            [...document.querySelectorAll('.diagram g.box')] \
            .some(box => box.dataset.class === '\(People.element)')
            """), true)
        try await view.show("#/Person")
        try await expectEqual(page.value(Self.made), 0)
        try await expectEqual(page.value("({}).polluted === undefined"), true)
      }
    }

    @Test func `A file that only the user can read leads the browser to the page`() async throws {
      let studio = try Studio(try Scene.current.somePeople())
      defer { studio.end() }
      let opener = try StrataCommand.Browser()
      let path = try opener.page(for: studio.link)
      for (name, mode) in [(path, 0o600), ((path as NSString).deletingLastPathComponent, 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        expectEqual(attributes[.posixPermissions] as? Int, mode)
      }
      let page = try await BrowserPage(Scene.current.browser)
      try await page.go(to: "file://\(path)")
      try await page.until("document.querySelectorAll('.row:not(.loading)').length")
      try await expectEqual(page.text("location.origin"), studio.origin)
      try await page.close(expecting: [])
      opener.close()
      expectFalse(FileManager.default.fileExists(atPath: path))
    }

    @Test func `Inline scripts are refused`() async throws {
      try await StudioPage.with(
        try Scene.current.somePeople(), expecting: ["Content Security Policy"]
      ) { view in
        try await view.page.value(
          """
          for (const text of ['window.ran = 1']) {
            const script = document.createElement('script');
            script.textContent = text;
            document.body.append(script);
          }
          document.body.setAttribute('onclick', 'window.ran = 2');
          document.body.click();
          """)
        try await expectEqual(view.page.value("window.ran === undefined"), true)
        let refusals = await view.page.log.filter { $0.contains("Content Security Policy") }
        expectTrue(refusals.count >= 2)
      }
    }

    @Test func `Another origin gets nothing`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        let other = try await OtherServer("<title>Another</title><p>Another server")
        let page = try await view.page.neighbour()
        try await page.go(to: other.origin)
        try await page.until("document.title === 'Another'")
        // Cookies ignore ports: the other server receives the studio's cookie.
        let head = try #require(await other.heads.first)
        let cookie = try #require(
          head.split(separator: "\r\n").first { $0.hasPrefix("Cookie: strata-") }?.dropFirst(8))
        for path in ["/api/file", "/api/objects/Person", "/api/events"] {
          var request = URLRequest(url: try #require(URL(string: view.studio.origin + path)))
          request.setValue(String(cookie), forHTTPHeaderField: "Cookie")
          let (_, response) = try await URLSession.shared.data(for: request)
          expectEqual((response as? HTTPURLResponse)?.statusCode, 401, "\(path)")
        }
        // The attempts of the other page, and their results.
        let studio = JSONText.of(view.studio.origin)
        try await expectEqual(
          page.value(
            """
            (async () => {
              const studio = \(studio), got = [];
              const attempt = async (name, act) => {
                try { got.push(name + ': ' + await act()) } catch { got.push(name + ': nothing') }
              };
              await attempt('fetch', async () => (await fetch(studio + '/api/file')).status);
              await attempt('key', async () => (await fetch(studio + '/api/file',
                { headers: { 'Strata-Key': 'x' }, credentials: 'include' })).status);
              await attempt('post', async () => (await fetch(studio + '/api/export',
                { method: 'POST', body: '{}', credentials: 'include' })).status);
              const opaque = await fetch(studio + '/api/file', { mode: 'no-cors', credentials: 'include' })
                .then(answer => answer.type, () => 'nothing');
              got.push('no-cors: ' + opaque);
              await attempt('events', () => new Promise((done, failed) => {
                const source = new EventSource(studio + '/api/events', { withCredentials: true });
                source.onmessage = done;
                source.onerror = () => { source.close(); failed() };
              }));
              for (const [kind, address] of [['img', '/favicon.svg'], ['script', '/api.js']]) {
                await attempt(kind, () => new Promise((done, failed) => {
                  const element = document.createElement(kind);
                  element.onload = () => done('loaded');
                  element.onerror = failed;
                  element.src = studio + address;
                  document.body.append(element);
                }));
              }
              return got;
            })()
            """),
          .array(
            [
              "fetch: nothing", "key: nothing", "post: nothing", "no-cors: nothing",
              "events: nothing", "img: nothing", "script: nothing",
            ]))
        try await page.value(
          """
          (() => {
            const frame = document.createElement('iframe');
            frame.src = \(studio);
            frame.onload = () => { window.framed = 1 };
            document.body.append(frame);
          })()
          """)
        try await page.until("window.framed")
        try await expectEqual(
          page.value(
            """
            (() => { try { return frames[0].document.title } catch { return 'closed' } })()
            """), "closed")
        // A form is sent, and refused.
        try await page.value(
          """
          (() => {
            const form = document.createElement('form');
            form.method = 'post';
            form.action = \(studio) + '/api/export';
            document.body.append(form);
            form.submit();
          })()
          """)
        try await page.until("location.href.includes('/api/export')")
        try await page.until("document.body?.innerText.includes('error')")
        // A long address, and one with a token, are answered at once.
        try await page.go(
          to: "\(view.studio.origin)/?token=\(String(repeating: "a", count: 20_000))")
        try await page.until("document.body && location.href.length > 20000")
        await expectEqual(view.page.log, [], "the studio's own page noticed nothing")
        try await expectEqual(
          view.page.value("fetch('/studio.css').then(answer => answer.ok)"), true)
        try await page.leave()
        try await other.end()
      }
    }

    @Test func `No request leaves loopback`() async throws {
      try await StudioPage.with(try Scene.current.somePeople()) { view in
        for address in ["#/Dog", "#/Visit?sort=at", "#/Person?open=2"] {
          try await view.show(address)
        }
        for name in ["diagram", "versions", "file"] {
          try await view.show(
            "#/\(name)", until: "document.querySelector('.page-content')?.children.length")
        }
        let addresses = await view.page.addresses
        expectTrue(addresses.count > 30)
        let own = [view.studio.origin + "/", "blob:" + view.studio.origin, "about:", "data:"]
        expectEqual(addresses.filter { address in !own.contains { address.hasPrefix($0) } }, [])
      }
    }
  }
}
