import Foundation
import Strata
import StrataSchema
import StrataStorage

extension NestedValue {
  /// A value that doesn't fit its type: `{"$date":"yesterday"}`.
  struct Misfit: Error {
    let text: String
    let type: PropertyType
  }

  /// The value with all dates, UUIDs, `ObjectId`s and decimals in the format of the file. JSON
  /// gives their types, with any text.
  ///
  /// - Throws: ``Misfit`` for the first text that doesn't fit its type.
  func normal() throws(Misfit) -> NestedValue {
    switch self {
    case .null, .link: return self
    case .value(.text(let text), let type):
      guard let stored = ValueParser.stored(.text(text), type) else {
        throw Misfit(text: text, type: type)
      }
      return .value(stored, type)
    case .value: return self
    case .list(let items):
      var normal: [NestedValue] = []
      for item in items { normal.append(try item.normal()) }
      return .list(normal)
    case .dictionary(let entries):
      var normal: [NestedEntry] = []
      for entry in entries {
        normal.append(NestedEntry(key: entry.key, value: try entry.value.normal()))
      }
      return .dictionary(normal)
    }
  }
}
