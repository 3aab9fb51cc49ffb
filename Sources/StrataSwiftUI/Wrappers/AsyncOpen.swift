#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  /// Opens a realm, and migrates its file away from the main thread, while the view shows how far
  /// it is.
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
  /// The opening begins when the view is first computed, and once more when the environment has the
  /// configuration of another realm. When the view goes away before its end, it is cancelled: a
  /// conversion leaves no file, and a migration is rolled back.
  @MainActor @propertyWrapper
  public struct AsyncOpen: DynamicProperty {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown = ShownOpening()

    /// - Parameter configuration: The file, its classes and its migration; nil for that of the
    ///   environment.
    public init(configuration: Realm.Configuration? = nil) { given = configuration }

    /// How far it is.
    public var wrappedValue: AsyncOpenState { shown.state(of: configuration) }

    /// What can be done about it: `$opening.cancel()`, `$opening.retry()`.
    public var projectedValue: AsyncOpen { self }

    /// Ends the opening: a migration is rolled back, and the state is an error. Has no effect once
    /// it is open.
    public func cancel() { shown.cancel() }

    /// Opens once more, after an error.
    public func retry() { shown.retry(configuration) }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }
  }

  /// The same as ``AsyncOpen``: a file has no server that could be out of reach.
  ///
  /// For the source of programs that were written for RealmSwift.
  public typealias AutoOpen = AsyncOpen
#endif
