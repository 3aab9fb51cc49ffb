import Foundation

/// A file that a command is about to make.
enum OutputFile {
  /// Checks that a path is free and its folder exists.
  ///
  /// The library checks again when it makes the file.
  static func require(_ path: String) throws(CommandFailure) {
    guard !FileManager.default.fileExists(atPath: path) else { throw exists(path) }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard InputFile.isFolder(folder) else {
      throw CommandFailure(
        .cannotCreate, path: path, "There is no folder for the file",
        repair: "Make the folder first, or correct the path.")
    }
  }

  /// The failure for a path that has a file.
  static func exists(_ path: String) -> CommandFailure {
    CommandFailure(
      .cannotCreate, path: path, "There is a file already",
      repair: "Delete it first, or choose another name.")
  }
}
