import Foundation
package import StrataQuery

extension TextFolder {
  /// A folder that takes letters apart as Foundation does.
  package convenience init(_ options: QueryOptions) {
    self.init(options) { String($0).decomposedStringWithCanonicalMapping }
  }
}
