import StrataSchema

/// A value of a file with its exact bytes: a text may be no UTF-8.
enum TwinValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension TwinValues {
  /// Returns another value of the same storage class.
  ///
  /// - Parameter type: The type of the property; nil for a column of another program. A value that
  ///   the type can't have is replaced by its storage class.
  func value(_ value: TwinValue, _ type: PropertyType?) -> TwinValue {
    switch (value, type) {
    case (.integer(0...1), .bool?), (.integer, .object?): return value
    case (.integer(let number), _): return .integer(int(number))
    case (.real(let number), .float?):
      let single = Float(number)
      return .real(Double(single) == number ? Double(float(single)) : double(number))
    case (.real(let number), _): return .real(double(number))
    case (.text(let bytes), _): return .text(text(bytes, type))
    case (.blob(let bytes), _): return .blob(data(bytes))
    case (.null, _): return .null
    }
  }

  private func text(_ bytes: [UInt8], _ type: PropertyType?) -> [UInt8] {
    let result =
      switch type {
      case .date?: date(bytes)
      case .UUID?: uuid(bytes)
      case .objectId?: objectId(bytes)
      case .decimal128?: decimal(bytes)
      default: nil as [UInt8]?
      }
    return result ?? text(bytes)
  }

  /// Returns the value of an `AnyRealmValue`, of the type in its other column.
  func any(_ value: TwinValue, typeName: String?) -> TwinValue {
    guard let typeName else { return self.value(value, nil) }
    if typeName.hasPrefix("<"), case .integer = value { return value }
    if case .text(let bytes) = value, NestedKind(rawValue: typeName) != nil,
      let nested = nested(bytes)
    {
      return .text(nested)
    }
    return self.value(value, PropertyType(rawValue: typeName))
  }

  /// Returns the name of a type: a text that is no type may be anything, and is replaced.
  func typeName(_ value: TwinValue, classNames: Set<String>) -> TwinValue {
    guard case .text(let bytes) = value else { return self.value(value, nil) }
    let name = String(decoding: bytes, as: UTF8.self)
    let isKnown =
      PropertyType(rawValue: name) != nil || NestedKind(rawValue: name) != nil
      || name.hasPrefix("<") && name.hasSuffix(">")
        && classNames.contains(String(name.dropFirst().dropLast()))
    return isKnown ? value : .text(text(bytes))
  }

  /// Returns the JSON of a list or a dictionary; nil if the library can't read the text.
  private func nested(_ bytes: [UInt8]) -> [UInt8]? {
    do throws(JSONProblem) {
      let value = try NestedValue(text: String(decoding: bytes, as: UTF8.self))
      return value.kind == nil ? nil : Array(nested(value).text.utf8)
    } catch {
      // The text is replaced as any other one.
      return nil
    }
  }

  private func nested(_ value: NestedValue) -> NestedValue {
    switch value {
    case .null, .link: value
    case .value(let stored, let type): .value(self.stored(stored, type), type)
    case .list(let items): .list(items.map(nested))
    case .dictionary(let entries):
      .dictionary(
        unordered: entries.map { entry in
          let key = text(Array(entry.key.utf8))
          return NestedEntry(
            key: String(decoding: key, as: UTF8.self), value: nested(entry.value))
        })
    }
  }

  private func stored(_ value: StoredValue, _ type: PropertyType) -> StoredValue {
    let whole: TwinValue =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(Array(text.utf8))
      case .blob(let bytes): .blob(bytes)
      }
    switch self.value(whole, type) {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): return .blob(bytes)
    }
  }
}
