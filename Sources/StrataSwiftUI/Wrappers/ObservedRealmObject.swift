#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  /// An object, a collection or a projection that is passed to the view, and observed.
  ///
  /// ```swift
  /// struct PersonView: View {
  ///   @ObservedRealmObject var person: Person
  ///
  ///   var body: some View {
  ///     TextField("Name", text: $person.name)
  ///   }
  /// }
  /// ```
  /// The view gets a frozen copy, and is computed again when a property is set, by this view or
  /// elsewhere. Linked objects aren't observed: pass them to other views. A deleted object is shown
  /// in its last state; an object that was deleted before it was passed is shown as a new object.
  /// Setting a property of `person` directly is a mistake, because the copy is frozen. Use the
  /// bindings, or `person.thaw()` in a transaction. An unmanaged object is shown and changed
  /// directly.
  @MainActor @propertyWrapper
  public struct ObservedRealmObject<ObjectType: RealmSubscribable>: DynamicProperty {
    /// The type of `$person`.
    public typealias Wrapper = RealmWrapper<ObjectType>

    private let given: ObjectType
    @State private var shown: Shown<ObjectType>

    /// - Parameter wrappedValue: The value to show: frozen, live or unmanaged.
    public init(wrappedValue: ObjectType) {
      given = wrappedValue
      _shown = State(wrappedValue: Shown { wrappedValue })
    }

    /// The value to show, frozen.
    public var wrappedValue: ObjectType { follow().value }

    /// Bindings to the properties, and methods to change the value.
    public var projectedValue: Wrapper { RealmWrapper(shown: follow()) }

    private func follow() -> Shown<ObjectType> {
      let shown = shown
      shown.show(given)
      return shown
    }
  }

  /// An object, a collection or a projection that the view creates, keeps, and observes.
  ///
  /// ```swift
  /// struct NewPersonView: View {
  ///   @StateRealmObject var person = Person()
  ///   @ObservedResults(Person.self) var people
  ///
  ///   var body: some View {
  ///     TextField("Name", text: $person.name)
  ///     Button("Add") { $people.append(person) }
  ///   }
  /// }
  /// ```
  /// It is created once, when the view is first computed, even if SwiftUI creates the view
  /// repeatedly. In all other respects it is like an `@ObservedRealmObject`.
  @MainActor @propertyWrapper
  public struct StateRealmObject<ObjectType: RealmSubscribable>: DynamicProperty {
    @State private var shown: Shown<ObjectType>

    /// - Parameter wrappedValue: The value to show. It is computed when it is first read.
    public init(wrappedValue: @autoclosure @escaping () -> ObjectType) {
      _shown = State(wrappedValue: Shown(wrappedValue))
    }

    /// The value to show; frozen, unless it is unmanaged.
    public var wrappedValue: ObjectType { shown.value }

    /// Bindings to the properties, and methods to change the value.
    public var projectedValue: RealmWrapper<ObjectType> { RealmWrapper(shown: shown) }
  }

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

  extension RealmWrapper where ObjectType: _ObjectShowing {
    /// Deletes the object, or the object of the projection, from its realm. The view shows its last
    /// state.
    public func delete() {
      shown.change { shown in
        if let object = shown._shownObject { object.realm?.delete(object) }
      }
    }
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
