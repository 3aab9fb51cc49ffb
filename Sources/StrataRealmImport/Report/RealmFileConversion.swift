public import Foundation
public import StrataRealmFile

/// The settings of a conversion: which file of Realm becomes the file of a configuration, and how.
///
/// ```swift
/// configuration.convertsRealmFile = .automatically(from: oldURL)
/// ```
public struct RealmFileConversion: Sendable {
  /// The file that Realm wrote.
  public var realmFile: URL

  /// What decrypts it; nil for a file that isn't encrypted. `RealmFileKey` of
  /// `StrataRealmFileEncryption` is one.
  public var encryptionKey: (any RealmFileCipher)?

  /// What becomes of what a file of this library can't hold.
  public var choices: Set<ConversionChoice>

  /// How much the file may decode to.
  public var limits: RealmFileLimits

  /// Hears how far the conversion is, at each class and every twentieth of a second. Called on the
  /// thread that converts: it must not open the realm.
  public var progress: (@Sendable (ConversionProgress) -> Void)?

  /// Gets the report when the new file is in its place, before it is migrated.
  public var didConvert: (@Sendable (ConversionReport) -> Void)?

  /// Hears of each value that becomes another one, or nil, as the choices say, with the identity
  /// that its object gets; of those of a property by ascending identities.
  package var didSettle: (@Sendable (ConversionFinding, _ identity: Int64) -> Void)?

  /// Converts a file of Realm when the realm is opened, if the file of the configuration doesn't
  /// exist yet.
  ///
  /// The new file gets the classes and the schema version of the old one, and is then opened as any
  /// file of an older version: the migration block or plan of the configuration brings it to the
  /// present. If the old file doesn't exist either, as for a new user, a new file is created. The
  /// old file is never changed, and stays.
  ///
  /// - Parameters:
  ///   - realmFile: The file that Realm wrote.
  ///   - encryptionKey: What decrypts it; nil for a file that isn't encrypted.
  ///   - choices: What becomes of what a file of this library can't hold.
  ///   - limits: How much the file may decode to.
  ///   - progress: Hears how far the conversion is.
  ///   - didConvert: Gets the report.
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
