package import Foundation
import StrataSchema
import StrataStorage
import Synchronization

/// The page's settings for a file, by name: columns, recent conditions, the time zone.
///
/// The settings are stored in the user's state folder, never in the file that is shown. Errors of
/// reading and writing are ignored: nothing depends on the settings.
package final class SettingsFile: Sendable {
  /// Nil if nothing is stored.
  private let url: URL?
  private let settings: Mutex<[String: String]>

  /// The maximum size of the settings in bytes.
  private static let maxBytes = 256 * 1024

  /// - Parameters:
  ///   - file: The file that is shown.
  ///   - folder: The folder for the settings; nil to store none.
  init(of file: URL, in folder: URL?) {
    url = folder?.appendingPathComponent(Self.name(of: file))
    settings = Mutex(Self.read(url))
  }

  /// The state folder of the user's programs (`XDG_STATE_HOME`).
  package static var usualFolder: URL? {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_STATE_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path).appendingPathComponent("strata")
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    #if canImport(Darwin)
      return URL(fileURLWithPath: home + "/Library/Application Support/strata")
    #else
      return URL(fileURLWithPath: home + "/.local/state/strata")
    #endif
  }

  /// The name of the settings file: the file's name, and a hash of its path.
  private static func name(of file: URL) -> String {
    let number = stableHash(of: file.resolvingSymlinksInPath().path.utf8)
    let name = file.deletingPathExtension().lastPathComponent.prefix(40)
    return "studio-\(name)-\(String(number, radix: 16)).json"
  }

  private static func read(_ url: URL?) -> [String: String] {
    guard let url else { return [:] }
    do {
      guard let bytes = try PlainFile.contents(of: url, atMost: maxBytes),
        let members = try JSONReader.read(bytes).members
      else { return [:] }
      return Dictionary(
        members.compactMap { member in member.value.text.map { (member.name, $0) } }
      ) { first, _ in first }
    } catch {
      return [:]
    }
  }

  @inline(never) var all: [String: String] { settings.withLock { $0 } }

  /// Stores a text under a name; nil removes it.
  ///
  /// - Throws: ``RequestFailure`` with status 413 if the settings become too large.
  @inline(never) func set(_ name: String, _ value: String?) throws(RequestFailure) {
    try settings.withLock { settings throws(RequestFailure) in
      var changed = settings
      changed[name] = value
      let text = JSONValue.sorted(changed) { .text($0) }.description
      guard text.utf8.count < Self.maxBytes else {
        throw RequestFailure(
          .contentTooLarge, "tooLarge",
          "So much isn't remembered of a file. Forget something first.")
      }
      settings = changed
      write(text)
    }
  }

  private func write(_ text: String) {
    guard let url else { return }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try PlainFile.replace(url, with: text)
      chmod(url.path, 0o600)
    } catch {
      // The page has the setting until the studio ends.
    }
  }
}
