#if canImport(SwiftUI)
  import Strata
  public import SwiftUI

  /// An object, a collection or a projection that the view was given, and follows.
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
  /// The view gets a frozen copy, and is computed again when a property was set, by this view or
  /// elsewhere. What it leads to doesn't count: give that to a view of its own. An object that was
  /// deleted is shown as it was last; one that was deleted before it was given, as a new object.
  /// Setting a property of `person` itself is a mistake, as the copy is frozen: use the bindings,
  /// or `person.thaw()` in a transaction. What is in no realm is shown and changed as it is.
  @MainActor @propertyWrapper
  public struct ObservedRealmObject<ObjectType: RealmSubscribable>: DynamicProperty {
    /// What `$person` is.
    public typealias Wrapper = RealmWrapper<ObjectType>

    private let given: ObjectType
    @State private var shown: Shown<ObjectType>

    /// - Parameter wrappedValue: What is shown: frozen, live, or in no realm.
    public init(wrappedValue: ObjectType) {
      given = wrappedValue
      _shown = State(wrappedValue: Shown { wrappedValue })
    }

    /// What to show, frozen.
    public var wrappedValue: ObjectType { follow().value }

    /// Bindings to its properties, and what can be done to it.
    public var projectedValue: Wrapper { RealmWrapper(shown: follow()) }

    private func follow() -> Shown<ObjectType> {
      let shown = shown
      shown.show(given)
      return shown
    }
  }
#endif
