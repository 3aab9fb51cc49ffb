/// A problem of a file: what, where, and how to repair it.
public struct FileProblem: Sendable, Hashable {
  /// The kind of a problem.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// SQLite itself finds the file damaged, or can't read a part of it.
    case damage
    /// The record of versions and schemas can't be read.
    case record
    /// A table or a column is missing, or is declared in another way than it must be.
    case table
    /// An index is missing, or has another definition.
    case index
    /// A trigger that keeps links and embedded objects right is missing, or has another definition.
    case trigger
    /// A value that no property of its type could have.
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
    /// Objects with the same primary key, or a value that is in a set more than once.
    case duplicate
  }

  /// What is wrong.
  public let kind: Kind
  /// The class, where it is known.
  public let className: String?
  /// The name of the property's column, for a problem of a property.
  public let property: String?
  /// The identity of the row, for a problem of an object. For an element of a collection it is that
  /// of the object with the collection.
  public let row: Int64?
  /// How many rows have the problem: more than one for those that are too many to be listed, 0 for
  /// a problem that is none of rows.
  public let rowCount: Int
  /// What is wrong, in a sentence.
  public let message: String
  /// What to do about it, in a sentence.
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
  /// What is wrong, and what to do about it.
  public var description: String { "\(message) \(repair)" }
}
