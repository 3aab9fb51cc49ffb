import Foundation
import StrataStudio
import TestKit
import Testing

/// A page of the browser, with cookies and storage of its own.
struct BrowserPage: Sendable {
  let browser: Browser
  private let context: String
  private let target: String
  private let session: String

  init(_ browser: Browser) async throws {
    let context = try await browser.send("Target.createBrowserContext")
    try await self.init(browser, context: #require(context["browserContextId"]?.text))
  }

  private init(_ browser: Browser, context: String) async throws {
    self.browser = browser
    self.context = context
    let made = try await browser.send(
      "Target.createTarget",
      ["url": "about:blank", "browserContextId": .text(context), "newWindow": true])
    target = try #require(made["targetId"]?.text)
    let attached = try await browser.send(
      "Target.attachToTarget", ["targetId": .text(target), "flatten": true])
    session = try #require(attached["sessionId"]?.text)
    for domain in ["Page", "Runtime", "Log", "Network"] { try await send("\(domain).enable") }
    try await resize(width: 1360, height: 860)
  }

  /// Another window, with the same cookies and storage. Of the tabs of one only one is seen.
  func neighbour() async throws -> BrowserPage {
    try await BrowserPage(browser, context: context)
  }

  /// Closes a tab whose log may have anything.
  func leave() async throws {
    _ = try await browser.send("Target.closeTarget", ["targetId": .text(target)])
  }

  /// Closes it, and expects that its log has nothing but what is expected.
  ///
  /// - Parameter expected: Parts of entries that may be there.
  func close(expecting expected: [String]) async throws {
    let log = await browser.notes(of: session).log
    let others = log.filter { entry in !expected.contains { entry.contains($0) } }
    expectEqual(others, [], "the log of the browser")
    _ = try await browser.send("Target.disposeBrowserContext", ["browserContextId": .text(context)])
  }

  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
    try await browser.send(method, parameters, session: session)
  }

  /// The addresses that it has asked for.
  var addresses: [String] { get async { await browser.notes(of: session).addresses } }

  var log: [String] { get async { await browser.notes(of: session).log } }

  /// Has files that are saved put into a folder, without asking.
  func saveFiles(in folder: URL) async throws {
    _ = try await browser.send(
      "Browser.setDownloadBehavior",
      [
        "behavior": "allow", "browserContextId": .text(context),
        "downloadPath": .text(folder.path),
      ])
  }

  // MARK: Looking

  /// The value of an expression of JavaScript; of a promise, what it gives.
  @discardableResult
  func value(_ script: String) async throws -> JSONValue {
    let answer = try await send(
      "Runtime.evaluate",
      ["expression": .text(script), "awaitPromise": true, "returnByValue": true])
    if let details = answer["exceptionDetails"] {
      throw Browser.Refusal(
        description: "\(script): \(details["exception"]?["description"] ?? details)")
    }
    return answer["result"]?["value"] ?? .null
  }

  func text(_ script: String) async throws -> String? { try await value(script).text }

  func list(_ script: String) async throws -> [JSONValue] {
    try #require(try await value(script).array)
  }

  /// Waits until an expression is true.
  func until(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until(script, sourceLocation: sourceLocation) {
      do {
        return try await value("!!(\(script))") == .bool(true)
      } catch is Browser.Refusal {
        // A part of the page that isn't there yet, or a page that is being left.
        return false
      }
    }
  }

  /// Waits until something is true, for a minute at the most.
  func until(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ isTrue: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if try await isTrue() { return }
      try await Task.sleep(for: .milliseconds(15))
    }
    let shown = try await text("document.body.innerText.slice(0, 2000)")
    Issue.record(
      "in vain: \(what)\n\(await log)\n\(shown ?? "")", sourceLocation: sourceLocation)
    throw InVain()
  }

  /// The error after a wait that timed out, which is already recorded as an issue.
  private struct InVain: Error {}

  // MARK: Acting

  func go(to address: String) async throws {
    try await send("Page.navigate", ["url": .text(address)])
  }

  func resize(width: Int, height: Int) async throws {
    try await send(
      "Emulation.setDeviceMetricsOverride",
      ["width": .int(width), "height": .int(height), "deviceScaleFactor": 1, "mobile": false])
  }

  func setDark(_ isDark: Bool) async throws {
    let scheme: JSONValue = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try await send("Emulation.setEmulatedMedia", ["features": [scheme]])
  }

  /// Presses a key, such as `a`, `Enter` or `ArrowUp`.
  func press(_ key: String, control: Bool = false, shift: Bool = false) async throws {
    let modifiers = (control ? 2 : 0) + (shift ? 8 : 0)
    let text = control ? "" : key == "Enter" ? "\r" : key.count == 1 ? key : ""
    let common: [JSONValue.Member] = [
      .init("key", .text(key)), .init("modifiers", .int(modifiers)),
      .init("windowsVirtualKeyCode", .int(Self.codes[key] ?? Self.code(of: key))),
    ]
    let down: [JSONValue.Member] = [
      .init("type", text.isEmpty ? "rawKeyDown" : "keyDown"), .init("text", .text(text)),
    ]
    try await send("Input.dispatchKeyEvent", .object(common + down))
    try await send("Input.dispatchKeyEvent", .object(common + [.init("type", "keyUp")]))
  }

  private static let codes = [
    "Enter": 13, "Tab": 9, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37,
    "ArrowRight": 39, "Home": 36, "End": 35, "PageDown": 34, "PageUp": 33, "F2": 113, "Delete": 46,
    "Backspace": 8, " ": 32,
  ]

  private static func code(of key: String) -> Int {
    let byte = key.uppercased().utf8.first.map(Int.init) ?? 0
    return key.count == 1 && (48...57 ~= byte || 65...90 ~= byte) ? byte : 0
  }

  func type(_ text: String) async throws {
    for character in text { try await press(String(character)) }
  }

  /// Clicks in the middle of the first element of a selector.
  func click(_ selector: String) async throws {
    let element = "document.querySelector(\(JSONValue.text(selector)))"
    try await until(element)
    try await value("\(element).scrollIntoView({ block: 'nearest' })")
    try await click(inside: element)
  }

  /// Clicks in the middle of an element, given by an expression.
  func click(inside element: String) async throws {
    let point = try await list(
      "(r => [r.x + r.width / 2, r.y + r.height / 2])((\(element)).getBoundingClientRect())")
    for type in ["mouseMoved", "mousePressed", "mouseReleased"] {
      try await send(
        "Input.dispatchMouseEvent",
        [
          "type": .text(type), "x": point[0], "y": point[1], "clickCount": 1,
          "button": type == "mouseMoved" ? "none" : "left",
        ])
    }
  }

  func wheel(by pixels: Int) async throws {
    try await send(
      "Input.dispatchMouseEvent",
      ["type": "mouseWheel", "x": 700, "y": 400, "deltaX": 0, "deltaY": .int(pixels)])
  }
}
