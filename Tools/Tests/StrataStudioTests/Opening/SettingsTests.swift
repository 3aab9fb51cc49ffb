import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// The page's settings for a file.
@Suite struct SettingsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func settings(of name: String = "a.sqlite") -> SettingsFile {
    SettingsFile(
      of: folder.url.appendingPathComponent(name), in: folder.url.appendingPathComponent("state"))
  }

  @Test func `It is there when the file is shown again, and for this file only`() throws {
    let first = settings()
    expectTrue(first.all.isEmpty)
    try first.set("zone", "UTC")
    try first.set("class", "Dög\n")
    try first.set("gone", "x")
    try first.set("gone", nil)
    expectEqual(settings().all, ["zone": "UTC", "class": "Dög\n"])
    expectTrue(settings(of: "b.sqlite").all.isEmpty)
    expectTrue(settings(of: "x/a.sqlite").all.isEmpty)
  }

  @Test func `Only the user can read it`() throws {
    try settings().set("zone", "UTC")
    let state = folder.url.appendingPathComponent("state")
    let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
    expectEqual(names.count, 1)
    for (path, mode) in [(state.path, 0o700), (state.path + "/" + names[0], 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      expectEqual(attributes[.posixPermissions] as? Int, mode)
    }
  }

  @Test func `What isn't as it was written is nothing`() throws {
    try settings().set("zone", "UTC")
    let state = folder.url.appendingPathComponent("state")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: state.path).first)
    for text in ["", "[]", "{\"zone\":5}", "{"] {
      try Data(text.utf8).write(to: state.appendingPathComponent(name))
      expectTrue(settings().all.isEmpty)
    }
  }

  @Test func `Without a folder it is there until the end`() throws {
    let settings = SettingsFile(of: folder.file, in: nil)
    try settings.set("zone", "UTC")
    expectEqual(settings.all, ["zone": "UTC"])
    let refused = SettingsFile(
      of: folder.file, in: URL(fileURLWithPath: "/proc/nowhere"))
    try refused.set("zone", "UTC")
    expectEqual(refused.all, ["zone": "UTC"])
  }

  @Test func `More than a quarter of a megabyte isn't kept`() throws {
    let settings = settings()
    try settings.set("a", String(repeating: "x", count: 200_000))
    let failure = #expect(throws: RequestFailure.self) {
      try settings.set("b", String(repeating: "x", count: 100_000))
    }
    expectEqual(failure?.status, .contentTooLarge)
    expectEqual(settings.all.count, 1)
  }
}
