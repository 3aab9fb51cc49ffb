public import Foundation
public import StrataRealmFile

/// The settings of a conversion: the Realm file, and how it becomes the file of a configuration.
///
/// ```swift
/// configuration.convertsRealmFile = .automatically(from: oldURL)
/// ```
public struct RealmFileConversion: Sendable {
  /// The file that Realm wrote.
  public var realmFile: URL

  /// The cipher for the file, such as `RealmFileKey` of `StrataRealmFileEncryption`; nil for a file
  /// that isn't encrypted.
  public var encryptionKey: (any RealmFileCipher)?

  /// The choices for data that a file of this library can't store.
  public var choices: Set<ConversionChoice>

  /// The limits of decoded bytes.
  public var limits: RealmFileLimits

  /// Called with the progress of the conversion, at each class and every twentieth of a second, on
  /// the thread that converts. The closure must not open the realm.
  public var progress: (@Sendable (ConversionProgress) -> Void)?

  /// Called with the report when the new file has its name, before it is migrated.
  public var didConvert: (@Sendable (ConversionReport) -> Void)?

  /// Called for each value that the choices replace by another value or by nil, with the identity
  /// of its new object. Calls for the same property have ascending identities.
  package var didSettle: (@Sendable (ConversionFinding, _ identity: Int64) -> Void)?

  /// Converts a Realm file when the realm is opened, if the file of the configuration doesn't exist
  /// yet.
  ///
  /// The new file gets the classes and the schema version of the old one, and is then opened like
  /// any file of an older version: the migration block or plan of the configuration migrates it. If
  /// the old file doesn't exist either, as for a new user, a new file is created. The old file is
  /// never changed, and stays.
  ///
  /// - Parameters:
  ///   - realmFile: The file that Realm wrote.
  ///   - encryptionKey: The cipher for the file; nil for a file that isn't encrypted.
  ///   - choices: The choices for data that a file of this library can't store.
  ///   - limits: The limits of decoded bytes.
  ///   - progress: Called with the progress of the conversion.
  ///   - didConvert: Called with the report.
  public static func automatically(
    from realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil,
    choices: Set<ConversionChoice> = [], limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil,
    didConvert: (@Sendable (ConversionReport) -> Void)? = nil
  ) -> RealmFileConversion {
    RealmFileConversion(
      realmFile: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
      progress: progress, didConvert: didConvert)
  }
}
