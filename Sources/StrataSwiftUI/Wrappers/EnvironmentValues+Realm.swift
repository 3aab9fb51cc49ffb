#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  private struct RealmConfigurationKey: EnvironmentKey {
    static let defaultValue: Realm.Configuration? = nil
  }

  extension EnvironmentValues {
    /// The configuration of the realm of a view and its subviews.
    ///
    /// ```swift
    /// PeopleView().environment(\.realmConfiguration, configuration)
    /// ```
    /// The default is `Realm.Configuration.current`. `@ObservedResults` and the other wrappers use
    /// this configuration unless they are given another one.
    public var realmConfiguration: Realm.Configuration {
      get { self[RealmConfigurationKey.self] ?? .current }
      set { self[RealmConfigurationKey.self] = newValue }
    }

    /// The realm of a view and its subviews: the realm of ``realmConfiguration``.
    ///
    /// Reading this property opens the realm, and stops the process if the realm can't be opened.
    /// Open the realm with `@AsyncOpen` before. Setting this property sets the configuration. Use
    /// `environment(\.realm, realm)` of a view, which doesn't read the previous realm.
    public var realm: Realm {
      get {
        do {
          return try Realm(configuration: realmConfiguration)
        } catch {
          fatalError(
            "The realm of the environment can't be opened: \(error) Open it with '@AsyncOpen' before."
          )
        }
      }
      set { realmConfiguration = newValue.configuration }
    }
  }

  extension View {
    /// Sets the realm of this view and its subviews.
    ///
    /// ```swift
    /// PeopleView().environment(\.realm, realm)
    /// ```
    /// SwiftUI's method of the same name also reads the previous value, which would open that
    /// realm. This method is preferred over SwiftUI's, and sets only the configuration.
    /// - Parameters:
    ///   - keyPath: `\.realm`, or a value that the program defines.
    ///   - realm: The realm.
    public func environment(
      _ keyPath: WritableKeyPath<EnvironmentValues, Realm>, _ realm: Realm
    ) -> some View {
      transformEnvironment(\.self) { values in
        if keyPath == \EnvironmentValues.realm {
          values.realmConfiguration = realm.configuration
        } else {
          values[keyPath: keyPath] = realm
        }
      }
    }
  }
#endif
