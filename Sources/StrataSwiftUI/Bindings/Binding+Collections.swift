#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  extension Binding: BoundCollection where Value: RealmCollection {
    public typealias Element = Value.Element

    public func _change(_ change: (Value) -> Void) { Writing.change(wrappedValue, change) }
  }

  extension Binding: BoundMap where Value: RealmKeyedCollection {
    public func _change(_ change: (Value) -> Void) { Writing.change(wrappedValue, change) }
  }
#endif
