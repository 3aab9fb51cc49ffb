#if canImport(SwiftUI)
  import Foundation
  public import Strata
  public import SwiftUI

  extension Binding where Value: ObjectBase {
    /// A property of the object, which is set in a transaction.
    ///
    /// ```swift
    /// TextField("Name", text: $dog.name)
    /// ```
    /// The object may be frozen or live, or in no realm.
    @MainActor
    public subscript<Member>(
      dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
    ) -> Binding<Member> {
      .property(keyPath, of: self) { Writing.change($0, $1) }
    }

    /// Deletes the object from its realm.
    @MainActor
    public func delete() {
      Writing.change(wrappedValue) { $0.realm?.delete($0) }
    }
  }

  extension Binding where Value: ProjectionObservable {
    /// A property of the projection, which is set in a transaction.
    @MainActor
    public subscript<Member>(
      dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
    ) -> Binding<Member> {
      .property(keyPath, of: self) { Writing.change($0, $1) }
    }
  }

  extension Binding {
    @MainActor
    fileprivate static func property<Whole>(
      _ keyPath: ReferenceWritableKeyPath<Whole, Value>, of whole: Binding<Whole>,
      _ change: @escaping @MainActor (Whole, (Whole) -> Void) -> Bool
    ) -> Binding {
      Binding(
        get: { @MainActor in
          Writing.nested.note()
          return whole.wrappedValue[keyPath: keyPath]
        },
        set: { @MainActor value in
          _ = change(whole.wrappedValue) { $0[keyPath: keyPath] = Writing.live(value) }
          Writing.nested.fire()
        })
    }
  }
#endif
