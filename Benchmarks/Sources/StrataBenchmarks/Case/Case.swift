import Foundation
import Strata

/// A measured workload, and its implementations.
///
/// All contestants must produce the same rows and the same ``Trial/answer``.
struct Case {
  /// The name on the command line.
  let name: String
  let title: String
  let base: BaseFile
  let targets: [Target]
  /// The number of operations for a number of rows; times are divided by it.
  var units: (_ rows: Int) -> Int = { $0 }
  /// The contestants; this library comes first.
  let contestants: [Contestant]
}

/// A file that a case starts with.
struct BaseFile {
  /// The name. Bases with the same name share a file.
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

/// The target that a case should reach.
enum Target {
  /// The maximum ratio to the time of another contestant.
  case ratio(to: Role, atMost: Double)
  /// The maximum time, for any number of rows.
  case milliseconds(atMost: Double)
  /// The maximum ratio of the time per row between the largest and the smallest number of rows.
  case growth(atMost: Double)
  /// The maximum growth in megabytes between the smallest and the largest number of rows.
  case memory(atMost: Double)

  /// The targets of work that visits all rows: linear time, constant memory.
  static let linear: [Target] = [.growth(atMost: 1.3), .memory(atMost: 16)]

  /// The targets of work that doesn't depend on the rows. These times are short, and vary by some
  /// tenths.
  static let constant: [Target] = [
    .milliseconds(atMost: 5), .ratio(to: .fewRows, atMost: 1.5), .memory(atMost: 16),
  ]
}

/// An error that makes the results of a benchmark meaningless.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
