#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  private struct RealmConfigurationKey: EnvironmentKey {
    static let defaultValue: Realm.Configuration? = nil
  }

  extension EnvironmentValues {
    /// The configuration of the realm of a view and of those inside of it.
    ///
    /// ```swift
    /// PeopleView().environment(\.realmConfiguration, configuration)
    /// ```
    /// `Realm.Configuration.current` unless it is set. `@ObservedResults` and the other properties
    /// use it unless they are given another one.
    public var realmConfiguration: Realm.Configuration {
      get { self[RealmConfigurationKey.self] ?? .current }
      set { self[RealmConfigurationKey.self] = newValue }
    }

    /// The realm of a view and of those inside of it: that of ``realmConfiguration``.
    ///
    /// Reading it opens the realm, which ends the process if it can't be opened: in a program that
    /// reads it, open the realm with `@AsyncOpen` before. Setting it sets the configuration: use
    /// `environment(\.realm, realm)` of a view, which reads nothing before.
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
    /// Sets the realm of this view and of those inside of it.
    ///
    /// ```swift
    /// PeopleView().environment(\.realm, realm)
    /// ```
    /// Setting a value by its key path reads the one before as well, which would open that realm.
    /// This method counts instead of SwiftUI's, which has the same name, and sets the
    /// configuration.
    /// - Parameters:
    ///   - keyPath: `\.realm`, or a value of the program's own.
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
