import Foundation
import StrataStudio

/// The browser of the user, and the page that leads it to an address.
///
/// The arguments of programs can be read by everybody, and who has the address of the studio may
/// use it: the browser gets the path of a file that only the user can read.
struct Browser {
  private let folder: PrivateFolder

  /// - Throws: ``ServerFailure`` where there can't be a file for it.
  init() throws(ServerFailure) { folder = try PrivateFolder() }

  /// Removes the file.
  func close() {
    do {
      try folder.remove()
    } catch {
      // A program that tidies folders for temporary files was first.
    }
  }

  /// Writes the page that leads to an address of letters, digits and what a URL has between them.
  ///
  /// - Returns: Its path.
  func page(for address: String) throws -> String {
    let path = folder.path + "/studio.html"
    let text = """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Strata</title>
      <a href="\(address)">Open the studio</a>

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    guard chmod(path, 0o600) == 0 else { throw POSIXError(.EPERM) }
    return path
  }

  /// Opens an address. Where there is no browser, nothing happens: the address was printed.
  func open(_ address: String) {
    #if canImport(Darwin)
      let tool = "/usr/bin/open"
    #else
      let tool = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: tool) else { return }
    do {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: tool)
      process.arguments = [try page(for: address)]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try Interruption.hearingSignals { try process.run() }
    } catch {
      // As without a browser.
    }
  }
}
