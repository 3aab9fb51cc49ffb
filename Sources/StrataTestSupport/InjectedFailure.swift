/// The error of a migration that is configured to fail.
public struct InjectedFailure: Error, Equatable {
  /// The version that the failing stage goes to.
  public let version: Int

  /// Describes the failure of the stage to a version.
  public init(version: Int) { self.version = version }
}
