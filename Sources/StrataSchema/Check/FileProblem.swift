/// A problem of a file, with its place and the repair.
public struct FileProblem: Sendable, Hashable {
  /// The kind of a problem.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// SQLite reports that the file is damaged, or can't read a part of it.
    case damage
    /// The table of versions and schemas can't be read.
    case record
    /// A table or a column is missing, or has another declaration.
    case table
    /// An index is missing, or has another definition.
    case index
    /// A trigger that maintains links and embedded objects is missing, or has another definition.
    case trigger
    /// A value that doesn't match the type of its property.
    case value
    /// A required property, or element, without a value.
    case missingValue
    /// A link, an element or an `AnyRealmValue` links to a missing object.
    case danglingLink
    /// The elements of a collection whose object is missing.
    case danglingElement
    /// An embedded object without a parent.
    case orphan
    /// An embedded object with several parents, or several times in one.
    case sharedObject
    /// Objects with the same primary key, or a value that occurs more than once in a set.
    case duplicate
  }

  /// The kind of the problem.
  public let kind: Kind
  /// The class, if known.
  public let className: String?
  /// The name of the property's column, for a problem of a property.
  public let property: String?
  /// The identity of the row, for a problem of an object. For an element of a collection, the
  /// identity of the object with the collection.
  public let row: Int64?
  /// The number of rows with the problem: more than one if there are too many to be listed, 0 for a
  /// problem that doesn't concern rows.
  public let rowCount: Int
  /// The problem, in a sentence.
  public let message: String
  /// The repair, in a sentence.
  public let repair: String

  package init(
    _ kind: Kind, className: String? = nil, property: String? = nil, row: Int64? = nil,
    rowCount: Int? = nil, _ message: String, repair: String
  ) {
    self.kind = kind
    self.className = className
    self.property = property
    self.row = row
    self.rowCount = rowCount ?? (row == nil ? 0 : 1)
    self.message = message
    self.repair = repair
  }
}

extension FileProblem: CustomStringConvertible {
  /// The message and the repair.
  public var description: String { "\(message) \(repair)" }
}
