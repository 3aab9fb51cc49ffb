package import Foundation
import StrataStorage
import Synchronization

/// The memory of the page for a file, by name: columns, earlier conditions, the zone of times.
///
/// It is kept where programs of the user have their states, and never in the file that is shown.
/// What can't be read or written is left out: nothing depends on it.
package final class SettingsFile: Sendable {
  /// Nil where nothing is kept.
  private let url: URL?
  private let settings: Mutex<[String: String]>

  /// How much is kept, in bytes.
  private static let longest = 256 * 1024

  /// - Parameters:
  ///   - file: The file that is shown.
  ///   - folder: The folder for such files; nil for none.
  init(of file: URL, in folder: URL?) {
    url = folder?.appendingPathComponent(Self.name(of: file))
    settings = Mutex(Self.read(url))
  }

  /// The folder for the states of programs of the user.
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

  /// The name of the file, and a number that stands for its path.
  private static func name(of file: URL) -> String {
    let path = file.resolvingSymlinksInPath().path
    // FNV-1a: the same in each process.
    let number = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    let name = file.deletingPathExtension().lastPathComponent.prefix(40)
    return "studio-\(name)-\(String(number, radix: 16)).json"
  }

  private static func read(_ url: URL?) -> [String: String] {
    guard let url else { return [:] }
    do {
      guard let bytes = try PlainFile.contents(of: url, atMost: longest),
        case .object(let members) = try JSONReader.read(bytes)
      else { return [:] }
      return Dictionary(
        members.compactMap { member in member.value.text.map { (member.name, $0) } }
      ) { first, _ in first }
    } catch {
      return [:]
    }
  }

  @inline(never) var all: [String: String] { settings.withLock { $0 } }

  /// Keeps a text under a name; nil for nothing any more.
  ///
  /// - Throws: ``RequestFailure`` with status 413 for more than is kept.
  @inline(never) func set(_ name: String, _ value: String?) throws(RequestFailure) {
    try settings.withLock { settings throws(RequestFailure) in
      var changed = settings
      changed[name] = value
      let text = Self.json(changed).description
      guard text.utf8.count < Self.longest else {
        throw RequestFailure(
          .contentTooLarge, "tooLarge",
          "So much isn't remembered of a file. Forget something first.")
      }
      settings = changed
      write(text)
    }
  }

  static func json(_ settings: [String: String]) -> JSONValue {
    .object(settings.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) })
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
      // The page has it until the studio ends.
    }
  }
}
