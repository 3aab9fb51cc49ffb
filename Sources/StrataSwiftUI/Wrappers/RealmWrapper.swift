#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  /// The `$person` of an `@ObservedRealmObject` and a `@StateRealmObject`: bindings to its
  /// properties, and methods to change it.
  ///
  /// ```swift
  /// TextField("Name", text: $person.name)
  /// Button("Add") { $person.dogs.append(Dog()) }
  /// ```
  @MainActor @dynamicMemberLookup
  public struct RealmWrapper<ObjectType: RealmSubscribable> {
    let shown: Shown<ObjectType>

    /// The shown value.
    public var wrappedValue: ObjectType { shown.value }

    /// Returns a binding to a property, which is set in a transaction.
    ///
    /// Setting it joins a running transaction. Setting a property of a deleted object has no
    /// effect. A transaction that fails is reported through `IssueReporting`.
    public subscript<Member>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Member>
    ) -> Binding<Member> {
      Binding(
        get: { @MainActor in shown.value[keyPath: keyPath] },
        set: { @MainActor value in
          shown.change { $0[keyPath: keyPath] = Writing.live(value) }
        })
    }
  }

  extension RealmWrapper where ObjectType: ObjectBase {
    /// Deletes the object from its realm. The view shows its last state.
    public func delete() { shown.change { $0.realm?.delete($0) } }
  }

  extension RealmWrapper where ObjectType: ProjectionObservable {
    /// Deletes the object of the projection from its realm. The view shows its last state.
    public func delete() { shown.change { $0.realm?.delete($0.rootObject) } }
  }

  extension RealmWrapper: BoundCollection where ObjectType: RealmCollection {
    public typealias Element = ObjectType.Element
    public typealias Value = ObjectType

    public func _change(_ change: (ObjectType) -> Void) { shown.change(change) }
  }

  extension RealmWrapper: BoundMap where ObjectType: RealmKeyedCollection {
    public func _change(_ change: (ObjectType) -> Void) { shown.change(change) }
  }
#endif
