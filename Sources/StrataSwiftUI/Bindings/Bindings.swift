#if canImport(SwiftUI)
  import Foundation
  public import Strata
  public import SwiftUI

  extension Binding where Value: _ObjectShowing {
    /// Returns a binding to a property of the object, or projection, which is set in a transaction.
    ///
    /// ```swift
    /// TextField("Name", text: $dog.name)
    /// ```
    /// The object may be frozen, live or unmanaged.
    @MainActor
    public subscript<Member>(
      dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
    ) -> Binding<Member> {
      .property(keyPath, of: self)
    }

    /// Deletes the object, or the object of the projection, from its realm.
    @MainActor
    public func delete() {
      Writing.change(wrappedValue) { shown in
        if let object = shown._shownObject { object.realm?.delete(object) }
      }
    }
  }

  extension _ObjectShowing {
    /// Returns a binding to a property of the object, or projection, which is set in a transaction.
    ///
    /// Use it for an object that the view gets without one of the wrappers:
    ///
    /// ```swift
    /// TextField("Name", text: person.bind(\.name))
    /// ```
    /// The object may be frozen, live or unmanaged. Only a wrapper observes it. After the object
    /// was deleted, the binding keeps returning its last value, and ignores new values.
    @MainActor
    public func bind<Member>(
      _ keyPath: ReferenceWritableKeyPath<Self, Member>
    ) -> Binding<Member> { .live(keyPath, of: self) }
  }

  extension Binding: BoundCollection where Value: RealmCollection {
    public typealias Element = Value.Element

    public func _change(_ change: (Value) -> Void) { Writing.change(wrappedValue, change) }
  }

  extension Binding: BoundMap where Value: RealmKeyedCollection {
    public func _change(_ change: (Value) -> Void) { Writing.change(wrappedValue, change) }
  }

  extension Binding {
    @MainActor
    fileprivate static func live<Whole: ThreadConfined>(
      _ keyPath: ReferenceWritableKeyPath<Whole, Value>, of whole: Whole
    ) -> Binding {
      let last = LastValue(Writing.live(whole)[keyPath: keyPath])
      return Binding(
        get: { @MainActor in
          let whole = Writing.live(whole)
          if !whole.isInvalidated { last.value = whole[keyPath: keyPath] }
          return last.value
        },
        set: { @MainActor value in
          Writing.change(whole) { $0[keyPath: keyPath] = Writing.live(value) }
        })
    }

    @MainActor
    fileprivate static func property<Whole: ThreadConfined>(
      _ keyPath: ReferenceWritableKeyPath<Whole, Value>, of whole: Binding<Whole>
    ) -> Binding {
      Binding(
        get: { @MainActor in
          Writing.nested.record()
          return whole.wrappedValue[keyPath: keyPath]
        },
        set: { @MainActor value in
          Writing.change(whole.wrappedValue) { $0[keyPath: keyPath] = Writing.live(value) }
          Writing.nested.fire()
        })
    }
  }

  /// The last value that a binding returned.
  @MainActor
  private final class LastValue<Value> {
    var value: Value

    init(_ value: Value) {
      self.value = value
    }
  }
#endif
