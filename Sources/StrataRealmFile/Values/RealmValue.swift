public import Foundation

/// The value of a property, or of an element of a collection, as the file has it.
public enum RealmValue: Sendable, Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(RealmDate)
  case decimal(RealmDecimal)
  case objectId(RealmObjectId)
  case uuid(UUID)
  /// A link to an object, or to an embedded one.
  case object(RealmLink)
  case list([RealmValue])
  /// The elements of a set, in the order of the file.
  case set([RealmValue])
  /// The entries of a dictionary, in the order of the file.
  ///
  /// Keys are different when their bytes are. Two such keys can be the same `String`, so this is no
  /// `Dictionary`.
  case dictionary([RealmEntry])
}
