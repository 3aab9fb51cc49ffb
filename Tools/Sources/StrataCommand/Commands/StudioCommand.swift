import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct StudioCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Shows a file in the browser: its classes, its objects, questions about them.",
    discussion: """
      The page is served on this computer only, at an address that works once. It shows what other programs commit, \
      and changes nothing without '--write'. Before the first change the file is copied, unless '--no-backup' is \
      there. Control-C ends it.

      Examples:
        strata studio people.sqlite
        strata studio people.sqlite --write
        strata studio people.sqlite --port 8080 --no-open    # then: ssh -L 8080:localhost:8080 server
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Flag(help: "Let the page change the file.") var write = false
  @Flag(help: "Don't copy the file before its first change.") var noBackup = false
  @Option(help: "The port, for tunnels; without it the system chooses one.") var port: Int?
  @Flag(help: "Don't open the address in a browser.") var noOpen = false
  @Flag(help: "Write nothing but the address.") var quiet = false
  @OptionGroup var key: KeyOptions

  var paths: [String] { [file] }

  func validate() throws {
    guard write || !noBackup else {
      throw ValidationError("'--no-backup' is of use with '--write' only.")
    }
    guard port.map({ 0...65_535 ~= $0 }) ?? true else {
      throw ValidationError("'--port' is a number from 0 to 65535.")
    }
  }

  func perform() async throws -> CommandResult {
    let given = try InputFile(file, keyFile: key.keyFile)
    if write {
      try given.refuseRealm(
        "Make a file of Strata of it with 'strata convert', or leave out '--write'.")
    }
    let (input, converted) = try given.readable(isQuiet: quiet)
    _ = try input.inspection()
    Interruption.listen()
    let listeners = try LoopbackListeners(port: port ?? 0)
    let studio = try await StudioFile(
      file, key: input.databaseKey, isWritable: write, makesBackup: !noBackup,
      copy: converted.map { RealmCopy($0, of: given) }, settings: SettingsFile.usualFolder)
    let gate = AccessGate(port: listeners.port)
    let routes =
      FactRoutes.all(studio, given)
      + ReadingRoutes.all(studio) + ExportRoutes.all(studio, gate) + EditingRoutes.all(studio)
    let site = StudioSite(gate, routes: routes, isWritable: write)
    let server = StudioServer(listeners, handler: site)
    let browser: Browser?
    do {
      try await server.start()
      browser = try announce("http://127.0.0.1:\(listeners.port)\(gate.path)")
    } catch {
      try await studio.close("The studio has ended.")
      throw error
    }
    let reason = await waitForEnd(of: studio)
    browser?.close()
    try await studio.close(reason?.message ?? "The studio has ended.")
    await server.end()
    if let reason { throw reason }
    return CommandResult([], .interrupted)
  }

  /// - Returns: The browser that opens the address; nil with `--no-open` or without a terminal.
  private func announce(_ address: String) throws -> Browser? {
    let note = "(\(write ? "editing" : "read only"); end with Control-C)"
    try CommandResult([quiet ? address : "\(PlainText.of(file)): \(address)  \(note)"]).write()
    guard !noOpen, isatty(STDERR_FILENO) != 0 else { return nil }
    let browser = try Browser()
    browser.open(address)
    return browser
  }

  /// Waits for Control-C or a signal. Returns a failure if the file can't be shown any more.
  private func waitForEnd(of studio: StudioFile) async -> CommandFailure? {
    while !Interruption.isInterrupted {
      if let reason = await studio.watch.endReason {
        return CommandFailure(.noInput, "'\(PlainText.of(file))': \(reason)")
      }
      do {
        try await Task.sleep(for: .milliseconds(50))
      } catch {
        break
      }
    }
    return nil
  }
}
