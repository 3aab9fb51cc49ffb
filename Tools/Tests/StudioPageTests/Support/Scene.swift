import Foundation
import Synchronization
import Testing

/// The resources that all page tests share: a browser, and a file with a million people.
final class Scene: Sendable {
  let browser: Browser
  private let folder: URL
  private let million = Mutex<URL?>(nil)

  @TaskLocal private static var shared: Scene?

  static var current: Scene {
    get throws { try #require(shared, "the suite has no scene") }
  }

  private init(_ browser: Browser, folder: URL) {
    self.browser = browser
    self.folder = folder
  }

  /// Runs a closure with a scene, and leaves nothing behind.
  static func run(_ body: @Sendable () async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-browser-\(UUID().uuidString)")
    let profile = folder.appendingPathComponent("profile")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    let browser = try await Browser(folder: profile)
    let scene = Scene(browser, folder: folder)
    let result: Result<Void, any Error>
    do {
      result = .success(try await $shared.withValue(scene) { try await body() })
    } catch {
      result = .failure(error)
    }
    try await browser.end()
    try await remove(folder)
    try result.get()
  }

  /// Removes a folder in which helpers of the browser may write until they end, a moment after it.
  private static func remove(_ folder: URL) async throws {
    for _ in 0..<20 {
      do {
        return try FileManager.default.removeItem(at: folder)
      } catch {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    try FileManager.default.removeItem(at: folder)
  }

  /// The file with a million people, which no test changes.
  func millionPeople() throws -> URL {
    try million.withLock { made in
      if let made { return made }
      let url = folder.appendingPathComponent("million.sqlite")
      try PeopleFile(url, people: 1_000_000).make()
      made = url
      return url
    }
  }

  /// A new file with some people, for one test.
  func somePeople() throws -> URL {
    let url = try ownFolder().appendingPathComponent("people.sqlite")
    try PeopleFile(url, people: 2000).make()
    return url
  }

  /// A new folder for the files of one test.
  func ownFolder() throws -> URL {
    let own = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    return own
  }
}

/// A trait of suites whose tests need a ``Scene``.
struct SceneTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Scene.run(function)
  }
}

extension Trait where Self == SceneTrait {
  static var scene: Self { Self() }
}
