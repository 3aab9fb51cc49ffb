import Foundation
import StrataStudio
import TestKit
import Testing

/// The folder of the images of the documents; nil where none are wanted.
enum ImageFolder {
  static let path = ProcessInfo.processInfo.environment["STRATA_SCREENSHOTS"]
}

extension StudioPageTests {
  /// The images of the documents, made from the current page.
  @Suite(.serialized, .enabled(if: ImageFolder.path != nil, "no images are wanted"))
  struct ScreenshotTests {
    @Test(arguments: [false, true])
    func `The images of the documents are made`(isDark: Bool) async throws {
      try await StudioPage.with(try Scene.current.millionPeople()) { view in
        let page = view.page
        let scheme = isDark ? "dark" : "light"
        try await page.resize(width: 1200, height: 640)
        try await page.setDark(isDark)
        try await view.show("#/Person?sort=-age&open=2")
        try await page.until("document.querySelector('#panel .fields')")
        try await page.until(
          "document.querySelector('#figures').textContent.startsWith('1,000,000 objects')")
        try await save("studio-\(scheme).png", page)
        try await view.show("#/diagram", until: "document.querySelector('.diagram svg g.box')")
        try await save("studio-diagram-\(scheme).png", page)
      }
    }

    private func save(_ name: String, _ page: BrowserPage) async throws {
      let folder = URL(fileURLWithPath: try #require(ImageFolder.path))
      let image = try await page.send("Page.captureScreenshot", ["format": "png"])
      let text = try #require(image["data"]?.text)
      let data = try #require(Data(base64Encoded: text))
      expectTrue(data.count <= 150_000, "\(name) is large")
      try data.write(to: folder.appendingPathComponent(name))
    }
  }
}
