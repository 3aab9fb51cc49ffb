import Foundation
import StrataStudio

/// The user's browser, and the page that redirects it to an address.
///
/// All users can read the arguments of a process, and the address of the studio gives access.
/// Therefore the browser gets the path of a file that only the user can read.
struct Browser {
  private let folder: PrivateFolder

  /// - Throws: ``ServerFailure`` if the private folder can't be created.
  init() throws(ServerFailure) { folder = try PrivateFolder() }

  /// Deletes the file.
  func close() {
    do {
      try folder.remove()
    } catch {
      // A cleaner of temporary files has deleted it already.
    }
  }

  /// Writes the page that redirects to an address. The address needs no escaping: it has only
  /// letters, digits and a URL's punctuation.
  ///
  /// - Returns: The path of the page.
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

  /// Opens an address. Without a browser nothing happens: the address was printed.
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
      try Interruption.withUnblockedSignals { try process.run() }
    } catch {
      // The same as without a browser.
    }
  }
}
