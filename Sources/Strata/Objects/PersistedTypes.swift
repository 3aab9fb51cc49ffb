public import Foundation
import StrataStorage

/// The name that RealmSwift has for a type that knows what the file keeps of it.
public typealias _HasPersistedType = RealmCollectionValue

extension Int: SortableType { public typealias PersistedType = Int }
extension Int8: SortableType { public typealias PersistedType = Int8 }
extension Int16: SortableType { public typealias PersistedType = Int16 }
extension Int32: SortableType { public typealias PersistedType = Int32 }
extension Int64: SortableType { public typealias PersistedType = Int64 }
extension Bool: SortableType { public typealias PersistedType = Bool }
extension Float: SortableType { public typealias PersistedType = Float }
extension Double: SortableType { public typealias PersistedType = Double }
extension String: SortableType { public typealias PersistedType = String }
extension Data: SortableType { public typealias PersistedType = Data }
extension Date: SortableType { public typealias PersistedType = Date }
extension UUID: SortableType { public typealias PersistedType = UUID }
extension ObjectId: SortableType { public typealias PersistedType = ObjectId }
extension Decimal128: SortableType {
  public typealias PersistedType = Decimal128
}
