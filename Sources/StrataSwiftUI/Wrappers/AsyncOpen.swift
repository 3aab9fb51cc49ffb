#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  /// The opening of a realm, including its migration, outside of the main thread, while the view
  /// shows the progress.
  ///
  /// ```swift
  /// struct StartView: View {
  ///   @AsyncOpen var opening
  ///
  ///   var body: some View {
  ///     switch opening {
  ///     case .connecting: ProgressView()
  ///     case .converting(let progress): ProgressView(value: progress.fractionCompleted)
  ///     case .migrating(let progress): ProgressView(value: progress.fractionCompleted)
  ///     case .open(let realm): PeopleView().environment(\.realm, realm)
  ///     case .error(let error): Text("\(error)")
  ///     }
  ///   }
  /// }
  /// ```
  /// The opening begins when the view is first computed, and again when the environment has the
  /// configuration of another realm. If the view is removed before the opening has finished, the
  /// opening is cancelled: a conversion leaves no file, and a migration is rolled back.
  @MainActor @propertyWrapper
  public struct AsyncOpen: DynamicProperty {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown = ShownOpening()

    /// - Parameter configuration: The file, its classes and its migration; nil for the
    ///   environment's configuration.
    public init(configuration: Realm.Configuration? = nil) { given = configuration }

    /// The present state.
    public var wrappedValue: AsyncOpenState { shown.state(of: configuration) }

    /// The actions on the opening: `$opening.cancel()`, `$opening.retry()`.
    public var projectedValue: AsyncOpen { self }

    /// Cancels the opening: a migration is rolled back, and the state becomes an error. Has no
    /// effect after the realm was opened.
    public func cancel() { shown.cancel() }

    /// Retries the opening after an error.
    public func retry() { shown.retry(configuration) }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }
  }

  /// The same as ``AsyncOpen``: a file has no server that could be offline.
  ///
  /// For programs that were written for RealmSwift.
  public typealias AutoOpen = AsyncOpen
#endif
