import ArgumentParser
import Foundation
import Strata
import StrataStudio

/// The command that writes the pages for `man`. `make install` calls it.
struct ManualCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Writes the pages for 'man' into a folder.",
    discussion: """
      Examples:
        strata manual ~/.local/share/man/man1
      """,
    shouldDisplay: false)

  @Argument(help: "The folder, which is there.", completion: .directory) var folder: String

  var paths: [String] { [folder] }

  func perform() throws -> CommandResult {
    let json = try JSONReader.read(Array(RootCommand._dumpHelp().utf8))
    guard let root = json["command"].flatMap(CommandDescription.init) else {
      throw CommandFailure(
        .software,
        "The help of the commands can't be read. This is a bug in 'strata'. Please report it.")
    }
    for page in ManualPage.all(root, version: LibraryRelease.current) {
      let path = "\(folder)/\(page.fileName)"
      do {
        try page.text.write(toFile: path, atomically: true, encoding: .utf8)
      } catch {
        throw CommandFailure(
          .cannotCreate, path: path, "The page can't be written",
          repair: "Check that the folder is there, and its permissions.")
      }
    }
    return CommandResult([])
  }
}
