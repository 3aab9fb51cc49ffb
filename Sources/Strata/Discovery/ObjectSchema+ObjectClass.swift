import IssueReporting
public import StrataSchema

extension ObjectSchema {
  /// The model class that has this name.
  ///
  /// A schema is a value, and may be that of a file: for a class that the program lacks, and for a
  /// name that several classes have, it is `Object`.
  public var objectClass: ObjectBase.Type {
    do {
      let named = try DiscoveredSchema.allTypes().filter { $0.className() == className }
      return named.count == 1 ? named[0] : Object.self
    } catch {
      reportIssue("\(error.message)")
      return Object.self
    }
  }
}
