import Foundation
import Strata

extension Job {
  /// The file is made of one of Realm, and opened.
  static let convert = Job(prepare: copyOldFile) { file in
    _ = try Realm(configuration: converting(file))
  }

  /// Says so if it is the one that converts.
  static let raceToConvert = Job(prepare: copyOldFile) { file in
    say("ready")
    _ = readLine()
    _ = try Realm(configuration: converting(file) { _ in say("converted") })
  }

  /// The file of Realm is at version 4.
  private static func converting(
    _ file: URL, _ didConvert: (@Sendable (ConversionReport) -> Void)? = nil
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: file, schemaVersion: 4, objectTypes: [])
    configuration.convertsRealmFile = .automatically(
      from: old(of: file), didConvert: didConvert)
    return configuration
  }

  private static func old(of file: URL) -> URL {
    file.deletingLastPathComponent().appendingPathComponent("old.realm")
  }

  @Sendable private static func copyOldFile(_ file: URL) throws {
    let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("StrataRealmFileTests/Files")
    try FileManager.default.copyItem(
      at: files.appendingPathComponent("many.realm"), to: old(of: file))
  }
}
