package import Foundation

/// A program that is built beside the tests.
package enum BuiltProgram {
  /// - Parameter variable: The variable of the environment that may have the path of another one.
  package static func url(_ name: String, unless variable: String? = nil) -> URL {
    if let variable, let path = ProcessInfo.processInfo.environment[variable] {
      return URL(fileURLWithPath: path)
    }
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let tests = bundle?.bundleURL ?? Bundle.main.bundleURL
    #else
      let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent(name)
  }
}
