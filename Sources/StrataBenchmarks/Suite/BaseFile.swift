import Foundation
import Strata

/// A file that a case begins with.
struct BaseFile {
  /// Bases of the same name are the same file.
  let name: String
  private let types: [ObjectBase.Type]
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
