import Foundation
import StrataSchema
import StrataStudio

/// The files to import: one file, or the files of a folder that `export` has written.
enum ImportFolder {
  struct Input {
    let path: String
    let className: String
  }

  /// - Parameter className: The class of a file; nil for a folder.
  /// - Throws: ``CommandFailure`` for a folder with a class, a file without one, and a file in the
  ///   folder whose name matches no class.
  static func inputs(
    _ path: String, _ className: String?, _ schema: Schema
  ) throws(CommandFailure) -> [Input] {
    guard InputFile.isFolder(path) else {
      guard let className else {
        throw CommandFailure(
          .usage, "'\(PlainText.of(path))' is a file: give the class of its objects with '--class'."
        )
      }
      return [Input(path: path, className: className)]
    }
    guard className == nil else {
      throw CommandFailure(
        .usage,
        "'\(PlainText.of(path))' is a folder, whose files have classes of their own: leave out "
          + "'--class'.")
    }
    var names = ClassFileNames()
    let classes = schema.objectSchema.map { (table: $0, name: names.next($0.className)) }
    var inputs: [Input] = []
    for file in try files(path) {
      let url = URL(fileURLWithPath: file)
      guard ObjectFormat(rawValue: url.pathExtension) != nil,
        let found = classes.first(where: {
          $0.name == url.deletingPathExtension().lastPathComponent
        })
      else {
        throw CommandFailure(
          .data, path: "\(path)/\(file)", "No class of the file has its objects there",
          repair: "Take it out of the folder, or import it by itself with '--class'.")
      }
      // Embedded objects are imported with their parents.
      guard !found.table.isEmbedded else { continue }
      let input = Input(path: "\(path)/\(file)", className: found.table.className)
      guard !inputs.contains(where: { $0.className == input.className }) else {
        throw CommandFailure(
          .data, path: input.path, "Another file has objects of the same class",
          repair: "Take one of them out of the folder.")
      }
      inputs.append(input)
    }
    guard !inputs.isEmpty else {
      throw CommandFailure(
        .data, path: path, "There is nothing to be imported in this folder",
        repair: "Give one that 'strata export -o' has written.")
    }
    return inputs
  }

  private static func files(_ folder: String) throws(CommandFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw CommandFailure(
        .noPermission, path: folder, "The folder can't be read",
        repair: "Check its permissions.")
    }
  }
}
