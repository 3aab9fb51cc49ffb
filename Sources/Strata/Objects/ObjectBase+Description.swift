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
    return DescriptionDepth.deeper {
      let lines = info.properties.filter { !$0.isComputed }.map {
        "\t\($0.name) = \(describeIndented(self[$0.name]));\n"
      }
      return "\(info.className) {\n\(lines.joined())}"
    }
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

/// The same, for a line that is indented: an object in it has several.
func describeIndented(_ value: Any?) -> String {
  describeValue(value).split(separator: "\n", omittingEmptySubsequences: false)
    .joined(separator: "\n\t")
}

/// How deep the description of an object is in those of others: objects may lead back to where a
/// description began.
enum DescriptionDepth {
  /// As in RealmSwift.
  private static let greatest = 5
  @TaskLocal private static var depth = 0

  static func deeper(_ describe: () -> String) -> String {
    guard depth < greatest else { return "<Maximum depth exceeded>" }
    return $depth.withValue(depth + 1) { describe() }
  }
}
