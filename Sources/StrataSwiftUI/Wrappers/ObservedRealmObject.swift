#if canImport(SwiftUI)
  import Strata
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
#endif
