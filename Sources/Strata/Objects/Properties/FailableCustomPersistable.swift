import CStrataRuntime
import IssueReporting
import StrataStorage

/// A ``CustomPersistable`` type that can't be made of every stored value.
///
/// ```swift
/// extension URL: @retroactive FailableCustomPersistable {
///   public typealias PersistedType = String
///   public init?(persistedValue: String) { self.init(string: persistedValue) }
///   public var persistableValue: String { absoluteString }
/// }
/// ```
///
/// A value that can't be converted reads as nil if the property is optional. A required property
/// then has the converted zero of `PersistedType`, and if that fails too, its default value. Both
/// are reported through `IssueReporting`. For a required property without a default, and for
/// required elements of collections, the zero must convert, or the type implement
/// `_rlmDefaultValue()`.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Makes the value of the stored one; nil when that isn't possible.
  init?(persistedValue: PersistedType)
}

extension FailableCustomPersistable {
  public static func _custom(_ persistedValue: PersistedType) -> Self? {
    Self(persistedValue: persistedValue)
  }
}
