import Foundation
import RealmFileKit

extension RealFile {
  static func json(_ name: String) throws -> JSONTree {
    try JSONTree(parsing: [UInt8](Data(contentsOf: url(name, "json"))))
  }
}
