import Foundation

/// Foundation's null stands for nil in values that come from JSON.
///
/// A cast would bridge each dictionary on Linux.
func isNull(_ value: Any) -> Bool {
  type(of: value) == NSNull.self
}

/// A value whose description contains those of its own values.
protocol NestedDescription {
  /// The description, with a number of levels of nested ones.
  func description(depth: Int) -> String
}

extension NestedDescription {
  /// Replaces the levels beyond.
  static var tooDeep: String { "<Maximum depth exceeded>" }
}

/// Objects that link to each other in a circle would have no end: five levels, as in RealmSwift.
let maximumDescriptionDepth = 5

extension ObjectBase: CustomStringConvertible, NestedDescription {
  /// The class and its properties, as RealmSwift prints them: without linking objects, and five
  /// levels of objects in objects.
  ///
  /// ```
  /// Person {
  /// 	name = Ada;
  /// 	email = (null);
  /// }
  /// ```
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    guard !isInvalidated else { return "[invalid object]" }
    guard let info = ClassInfo.reporting(type(of: self)) else { return Self.shownName }
    let lines = info.properties.filter { !$0.isComputed }.map { property in
      let value = describeValue(unboxedValue(property.name), depth: depth - 1)
      return "\t\(property.name) = \(indented(value));\n"
    }
    return "\(Self.shownName) {\n\(lines.joined())}"
  }

  /// The class as descriptions show it: without the name that only files have for it.
  static var shownName: String {
    let name = className()
    return name == _realmObjectName() ? withoutBackticks(_typeName(self, qualified: false)) : name
  }

  /// The class and its properties in the order of declaration.
  public var objectSchema: ObjectSchema {
    ClassInfo.reporting(type(of: self))?.objectSchema
      ?? ObjectSchema(className: Self.className(), properties: [])
  }
}

/// A value in the description of an object.
func describeValue(_ value: Any?, depth: Int = maximumDescriptionDepth) -> String {
  switch value {
  case nil: "(null)"
  case let value as any NestedDescription: value.description(depth: depth)
  case let data as Data: "<\(data.count) bytes>"
  case let value?: "\(value)"
  }
}

/// A text whose lines after the first are moved to the right.
func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t")
}
