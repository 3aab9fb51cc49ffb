import Foundation

/// The browser of the user.
enum Browser {
  /// Opens an address. Where there is no browser, nothing happens: the address was printed.
  static func open(_ address: String) {
    #if canImport(Darwin)
      let tool = "/usr/bin/open"
    #else
      let tool = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: tool) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = [address]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try Interruption.hearingSignals { try process.run() }
    } catch {
      // As without a browser.
    }
  }
}
