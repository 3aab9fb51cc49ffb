import CustomDump
import IssueReporting
public import Strata

extension Realm.Configuration {
  /// Returns the configuration with a migration that does all its work up to the end of a stage,
  /// and then fails. All its changes must be rolled back.
  ///
  /// ```swift
  /// #expect(throws: InjectedFailure(version: 3)) {
  ///   try Realm(configuration: configuration.failing(atEndOf: 3))
  /// }
  /// ```
  /// Without a plan the single block fails, whatever the version. A file that doesn't need the
  /// stage opens normally.
  public func failing(atEndOf version: Int) -> Realm.Configuration {
    var copy = self
    if let plan = migrationPlan {
      copy.migrationPlan?.stages = plan.stages.map { stage in
        stage.version == version && stage.version != plan.stages.first?.version
          ? stage.failing(InjectedFailure(version: version)) : stage
      }
    } else {
      let block = migrationBlock
      copy.migrationBlock = { migration, oldVersion in
        try block?(migration, oldVersion)
        throw InjectedFailure(version: version)
      }
    }
    return copy
  }
}

/// The call site of a test helper, where failures are reported.
struct CallSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  func report(_ message: String) {
    reportIssue(message, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  func report(_ error: any Error, _ message: String) {
    reportIssue(error, message, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// The error of a migration that is configured to fail.
public struct InjectedFailure: Error, Equatable {
  /// The version after the failing stage.
  public let version: Int

  /// Creates the failure of the stage to a version.
  public init(version: Int) { self.version = version }
}

/// Returns the difference between two texts, line by line; nil if they are equal.
func lineDifference(_ expected: [String], _ actual: [String]) -> String? {
  diff(expected.joined(separator: "\n"), actual.joined(separator: "\n"))
}

/// The error of a helper after which a test can't continue.
public struct TestSupportError: Error, CustomStringConvertible {
  /// The failure.
  public let description: String

  init(_ description: String) { self.description = description }
}
