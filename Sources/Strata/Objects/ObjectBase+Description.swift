import Foundation

/// Foundation's null stands for nil in values that come from JSON.
func isNull(_ value: Any) -> Bool {
  value is NSNull
}

extension ObjectBase: CustomStringConvertible {
  /// The class and its properties, as RealmSwift prints them.
  ///
  /// ```
  /// Person {
  /// 	name = Ada;
  /// 	email = (null);
  /// }
  /// ```
  public var description: String {
    guard !isInvalidated else { return "[invalid object]" }
    guard let info = ClassInfo.reporting(type(of: self)) else { return Self.className() }
    let lines = info.properties.map { "\t\($0.name) = \(describeValue(self[$0.name]));\n" }
    return "\(info.className) {\n\(lines.joined())}"
  }

  /// The class and its properties in the order of declaration.
  public var objectSchema: ObjectSchema {
    ClassInfo.reporting(type(of: self))?.objectSchema
      ?? ObjectSchema(className: Self.className(), properties: [])
  }
}

/// A value in the description of an object.
func describeValue(_ value: Any?) -> String {
  switch value {
  case nil: "(null)"
  case let data as Data: "<\(data.count) bytes>"
  case let value?: "\(value)"
  }
}
