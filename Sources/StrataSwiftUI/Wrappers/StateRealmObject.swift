#if canImport(SwiftUI)
  import Strata
  public import SwiftUI

  /// An object, a collection or a projection that the view makes itself, keeps, and follows.
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
  /// It is made once, when the view is first computed, however often SwiftUI makes the view.
  /// Otherwise it is as an `@ObservedRealmObject`.
  @MainActor @propertyWrapper
  public struct StateRealmObject<ObjectType: RealmSubscribable>: DynamicProperty {
    @State private var shown: Shown<ObjectType>

    /// - Parameter wrappedValue: What is shown. It is computed when it is first read.
    public init(wrappedValue: @autoclosure @escaping () -> ObjectType) {
      _shown = State(wrappedValue: Shown(wrappedValue))
    }

    /// What to show; frozen, unless it is in no realm.
    public var wrappedValue: ObjectType { shown.value }

    /// Bindings to its properties, and what can be done to it.
    public var projectedValue: RealmWrapper<ObjectType> { RealmWrapper(shown: shown) }
  }
#endif
