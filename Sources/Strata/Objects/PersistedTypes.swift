public import Foundation
import StrataStorage

/// A type of properties and elements that a file stores as a value, or as an embedded object of its
/// own.
public protocol _HasPersistedType: RealmCollectionValue {}

extension Int: _HasPersistedType, SortableType { public typealias PersistedType = Int }
extension Int8: _HasPersistedType, SortableType { public typealias PersistedType = Int8 }
extension Int16: _HasPersistedType, SortableType { public typealias PersistedType = Int16 }
extension Int32: _HasPersistedType, SortableType { public typealias PersistedType = Int32 }
extension Int64: _HasPersistedType, SortableType { public typealias PersistedType = Int64 }
extension Bool: _HasPersistedType, SortableType { public typealias PersistedType = Bool }
extension Float: _HasPersistedType, SortableType { public typealias PersistedType = Float }
extension Double: _HasPersistedType, SortableType { public typealias PersistedType = Double }
extension String: _HasPersistedType, SortableType { public typealias PersistedType = String }
extension Data: _HasPersistedType, SortableType { public typealias PersistedType = Data }
extension Date: _HasPersistedType, SortableType { public typealias PersistedType = Date }
extension UUID: _HasPersistedType, SortableType { public typealias PersistedType = UUID }
extension ObjectId: _HasPersistedType, SortableType { public typealias PersistedType = ObjectId }
extension Decimal128: _HasPersistedType, SortableType {
  public typealias PersistedType = Decimal128
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {}
