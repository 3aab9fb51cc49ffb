import Foundation
import Strata

/// Some work that is measured, and everything that does it.
///
/// All contestants must leave the same rows, and the same ``Trial/answer``.
struct Case {
  /// The name for the command line.
  let name: String
  let title: String
  let base: BaseFile
  let targets: [Target]
  /// How many things are done to a file of so many rows: what a time per row is per.
  var units: (_ rows: Int) -> Int = { $0 }
  /// This library comes first.
  let contestants: [Contestant]
}

/// A file that a case begins with.
struct BaseFile {
  /// Bases of the same name are the same file.
  let name: String
  let types: [ObjectBase.Type]
  private let fill: (Realm, _ rows: Int) -> Void

  init(_ name: String, _ types: [ObjectBase.Type], fill: @escaping (Realm, Int) -> Void) {
    self.name = name
    self.types = types
    self.fill = fill
  }

  func make(_ file: URL, rows: Int) throws {
    let realm = try Realm(configuration: .init(fileURL: file, objectTypes: types))
    try realm.write { fill(realm, rows) }
  }
}

/// The target that a case is expected to reach.
enum Target {
  /// At most so many times as long as another contestant.
  case ratio(to: Role, atMost: Double)
  /// At most so long, however many rows there are.
  case milliseconds(atMost: Double)
  /// Time per row, at the greatest number of rows compared with that at the smallest.
  case growth(atMost: Double)
  /// Megabytes more at the greatest number of rows than at the smallest.
  case memory(atMost: Double)

  /// What is expected of work that goes through rows: time grows as they do, memory doesn't.
  static let linear: [Target] = [.growth(atMost: 1.3), .memory(atMost: 16)]

  /// What is expected where rows don't matter. Two such times are so short that they differ by a
  /// few tenths by chance.
  static let constant: [Target] = [
    .milliseconds(atMost: 5), .ratio(to: .fewRows, atMost: 1.5), .memory(atMost: 16),
  ]
}

/// A result that makes the figures of a benchmark meaningless.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
