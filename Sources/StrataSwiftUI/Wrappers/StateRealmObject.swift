#if canImport(SwiftUI)
  import Strata
  public import SwiftUI

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
