extension RealmConfiguration {
  @TaskLocal static var ofTask: RealmConfiguration?

  /// The configuration that `Realm()` uses here: that of the innermost
  /// ``Realm/withConfiguration(_:operation:)`` around the caller, or else
  /// ``defaultConfiguration``.
  ///
  /// Change a copy of it to open something beside, of the same tenant or test:
  ///
  /// ```swift
  /// var configuration = Realm.Configuration.current
  /// configuration.readOnly = true
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// May be read on any thread.
  public static var current: RealmConfiguration { ofTask ?? defaultConfiguration }
}
