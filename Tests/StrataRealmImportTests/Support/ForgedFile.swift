import Foundation
import RealmFileKit
import Strata

/// Files that Realm would hardly write: with what a file of the library can't hold.
enum ForgedFile {
  typealias Column = FileWriter.Column

  static let nullable: Int64 = 16
  static let list: Int64 = 32

  /// A class with its columns, and for each of them the leaf with the values of all objects.
  struct Class {
    var name: String
    var columns: [Column]
    var count: Int
    var primaryKey: Int?
    var flags: UInt64 = 0
    var leaves: (inout FileWriter) -> [Int]
  }

  /// Writes the classes, whose keys are 0, 1, 2 and so on. The file has no schema version.
  static func write(_ classes: [Class], to url: URL) throws {
    var writer = FileWriter()
    var tables: [(name: String, ref: Int)] = []
    for (key, item) in classes.enumerated() {
      let tree = writer.cluster(count: item.count, item.leaves(&writer))
      tables.append(
        (
          "class_\(item.name)",
          writer.table(
            key: UInt64(key), item.columns, tree: tree, primaryKey: item.primaryKey,
            flags: item.flags)
        ))
    }
    let top = writer.group(tables)
    try Data(writer.finish(top: top)).write(to: url)
  }

  static func doubles(_ values: [Double], _ writer: inout FileWriter) -> Int {
    writer.node(
      .multiply, widthCode: 4, count: values.count,
      values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) })
  }

  /// Required dates.
  static func dates(_ seconds: [Int64], _ writer: inout FileWriter) -> Int {
    let whole = writer.integers([-1] + seconds)
    let rest = writer.integers(seconds.map { _ in 0 })
    return writer.refs([.ref(whole), .ref(rest)])
  }

  /// Replaces a text of the file by bytes that are not UTF-8.
  static func spoil(_ text: String, in url: URL) throws {
    var bytes = try Data(contentsOf: url)
    while let range = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: text.utf8.count))
    }
    try bytes.write(to: url)
  }

  /// Two people with weights, one of which is NaN.
  static func weights(_ values: [Double], isOptional: Bool, at url: URL) throws {
    try write(
      [
        Class(
          name: "Person",
          columns: [
            Column(name: "weight", type: 10, attributes: isOptional ? nullable : 0)
          ], count: values.count, leaves: { [doubles(values, &$0)] })
      ], to: url)
  }
}
