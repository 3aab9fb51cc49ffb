import Foundation
import Strata
import StrataSchema
import StrataStorage

extension NestedValue {
  /// A single value that isn't of the type that stands beside it: `{"$date":"yesterday"}`.
  struct Misfit: Error {
    let text: String
    let type: PropertyType
  }

  /// The value with each date, UUID, `ObjectId` and decimal as a file writes it: JSON says their
  /// types, and has any text for them.
  ///
  /// - Throws: ``Misfit`` for the first text that is none.
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
