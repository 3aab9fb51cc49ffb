public import Foundation
import StrataSchema
public import StrataStorage

/// A value of an object in a history, which may go to any thread, and into any file.
public enum HistoryValue: Sendable, Hashable, Codable {
  case null
  case int(Int)
  case bool(Bool)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case objectId(ObjectId)
  case decimal(Decimal128)
  /// A link, by the class of the object and its identity.
  case object(className: String, identity: Int64)
  /// A list or a dictionary in an `AnyRealmValue`, as Extended JSON.
  case nested(json: String)
}

extension HistoryValue {
  /// The value of the columns of a property; what the file must not have is its text or number.
  init(_ property: Property, _ columns: [String: StoredValue]) {
    let value = columns[property.columnName] ?? .null
    guard property.type == .any else {
      self.init(value, property.type, className: property.objectClassName)
      return
    }
    guard let column = property.typeColumnName, case .text(let type)? = columns[column] else {
      self = .null
      return
    }
    if NestedKind(rawValue: type) != nil, case .text(let json) = value {
      self = .nested(json: json)
    } else if type.hasPrefix("<"), type.hasSuffix(">") {
      self.init(value, .object, className: String(type.dropFirst().dropLast()))
    } else {
      self.init(value, PropertyType(rawValue: type) ?? .string, className: nil)
    }
  }

  init(_ value: StoredValue, _ type: PropertyType, className: String?) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let number), .bool): self = .bool(number != 0)
    case (.integer(let number), .object):
      self = .object(className: className ?? "", identity: number)
    case (.integer(let number), _): self = .int(Int(number))
    case (.real(let number), _): self = .double(number)
    case (.blob(let bytes), _): self = .data(Data(bytes))
    case (.text(let text), _): self = Self.typed(text, type) ?? .string(text)
    }
  }

  private static func typed(_ text: String, _ type: PropertyType) -> HistoryValue? {
    switch type {
    case .date: return DateText.decode(text).map { .date($0) }
    case .UUID: return UUID(uuidString: text).map { .uuid($0) }
    case .objectId: return objectId(text).map { .objectId($0) }
    case .decimal128: return Decimal128(text).map { .decimal($0) }
    default: return nil
    }
  }

  private static func objectId(_ text: String) -> ObjectId? {
    var text = text
    return text.withUTF8(ObjectId.init(utf8:))
  }
}
