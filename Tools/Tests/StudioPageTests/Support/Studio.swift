import Foundation
import GRDB
import StrataStudio
import TestKit
import Testing

/// The built program, showing a file.
struct Studio: Sendable {
  let file: URL
  /// The address that works once.
  let link: String
  /// The address of the page, without what follows the port.
  let origin: String
  private let process: Process
  /// The folder of the page's settings, if only this studio uses it.
  private let ownState: URL?

  private static let executable = BuiltProgram.url("strata", unless: "STRATA_PROGRAM")

  /// - Parameter state: The folder for what the page remembers; nil for a new one.
  init(_ file: URL, _ options: [String] = [], state: URL? = nil) throws {
    self.file = file
    ownState =
      state == nil
      ? FileManager.default.temporaryDirectory
        .appendingPathComponent("strata-state-\(UUID().uuidString)") : nil
    process = Process()
    process.executableURL = Self.executable
    process.arguments = ["studio", file.path, "--no-open", "--quiet"] + options
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": (state ?? ownState)?.path ?? ""]) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != 0x0A {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      line += piece
    }
    let said = String(decoding: line, as: UTF8.self)
    let address = said.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(address.hasPrefix("http://127.0.0.1:"), "the program says: \(said)")
    let path = try #require(address.range(of: "/?token="))
    link = address
    origin = String(address[..<path.lowerBound])
  }

  /// Ends it as Control-C does.
  func end() {
    process.interrupt()
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 130)
    guard let ownState, FileManager.default.fileExists(atPath: ownState.path) else { return }
    #expect(throws: Never.self) { try FileManager.default.removeItem(at: ownState) }
  }

  /// Changes the file as another program does.
  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The first value that a statement finds in the file, as text; nil for NULL and for no row.
  func value(_ sql: String) throws -> String? {
    let queue = try DatabaseQueue(path: file.path)
    defer {
      do { try queue.close() } catch { Issue.record("The file can't be closed: \(error)") }
    }
    return try queue.read { try String.fetchOne($0, sql: sql) }
  }
}

/// A page of the studio that shows a file.
struct StudioPage: Sendable {
  let studio: Studio
  let page: BrowserPage

  /// Opens the link of a studio, waits for the first rows, and runs a closure.
  ///
  /// - Parameters:
  ///   - options: Further ones of the command.
  ///   - expected: Parts of the entries that the log of the browser may have.
  static func with(
    _ file: URL, _ options: [String] = [], state: URL? = nil,
    expecting expected: [String] = [], _ body: (StudioPage) async throws -> Void
  ) async throws {
    let studio = try Studio(file, options, state: state)
    defer { studio.end() }
    let page = try await BrowserPage(Scene.current.browser)
    try await page.go(to: studio.link)
    try await page.until("document.querySelectorAll('.row:not(.loading)').length")
    try await body(StudioPage(studio: studio, page: page))
    try await page.close(expecting: expected)
  }

  /// The condition that the view of a class has its first rows.
  static let isReady =
    "document.querySelector('.row:not(.loading)') && !document.querySelector('[aria-busy]')"

  /// The rows that are drawn: positions and identities, from the top.
  static let rows = """
    [...document.querySelectorAll('.row:not(.loading)')].map(r => [r.position, \
    +r.firstChild.textContent.replaceAll(',', '')]).sort((a, b) => a[0] - b[0])
    """

  /// Goes to a view by its address, such as `#/Dog?sort=-age`, and waits for a condition.
  func show(
    _ address: String, until condition: String = isReady,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    // The view before stays in the document until the next one takes its place.
    try await page.value(
      """
      document.querySelector('#main').firstChild.isOld = true; location.hash = \(JSONText.of(address))
      """)
    try await page.until(
      "!document.querySelector('#main').firstChild.isOld && (\(condition))",
      sourceLocation: sourceLocation)
  }

  func rows() async throws -> [(position: Int64, identity: Int64)] {
    try await page.list(Self.rows).map { row in
      let numbers = try #require(row.array)
      return (try #require(numbers[0].integer), try #require(numbers[1].integer))
    }
  }

  // MARK: Editing

  /// Clicks on a cell, which makes it the active one.
  func choose(_ property: String, of identity: Int64) async throws {
    let cell = """
      (() => {
        const head = [...document.querySelectorAll('.column')]
          .find(head => head.querySelector('.name')?.textContent === \(JSONText.of(property)));
        const row = [...document.querySelectorAll('.row:not(.loading)')]
          .find(row => row.firstChild.textContent === '\(identity)');
        return [...row.children].find(cell => cell.ariaColIndex === head.ariaColIndex);
      })()
      """
    try await page.until(cell)
    try await page.click(inside: cell)
    try await page.until("\(cell).classList.contains('active')")
  }

  /// Waits until a statement finds a value in the file.
  func untilFile(
    has value: String?, _ sql: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await page.until("\(sql): \(value ?? "NULL")", sourceLocation: sourceLocation) {
      try studio.value(sql) == value
    }
  }

  /// Clicks on the button with a text in the dialog that is open.
  func answer(_ text: String) async throws { try await press(text, in: "dialog[open]") }

  /// Clicks on the first button with a text inside of a selector, once it is there.
  func press(_ text: String, in selector: String) async throws {
    try await click("=== \(JSONText.of(text))", in: selector)
  }

  /// Chooses the entry of the menu that opens whose text has a part.
  func pick(_ part: String) async throws {
    try await click(".includes(\(JSONText.of(part)))", in: ".menu")
  }

  private func click(_ condition: String, in selector: String) async throws {
    let button = """
      [...document.querySelectorAll(\(JSONText.of("\(selector) button")))] \
      .find(button => button.textContent\(condition))
      """
    try await page.until(button)
    try await page.value("\(button).click()")
  }
}
