package import StrataSchema

extension PropertyType {
  /// Whether the values are numbers, which compare with numbers of other types.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  /// Whether one value may be less than another.
  var isOrdered: Bool {
    switch self {
    case .int, .float, .double, .decimal128, .date, .string, .data, .any: true
    case .bool, .UUID, .objectId, .object, .linkingObjects: false
    }
  }
}
