public import StrataSchema

/// The changes that a conversion would make, found out by reading the whole file without writing.
public struct ConversionForecast: Sendable, Hashable {
  /// The path of the file of Realm.
  public package(set) var source: String
  /// The format of the file.
  public package(set) var fileFormat: Int
  /// The schema version of the file; nil if Realm never gave it one. The new file is at 0 then.
  public package(set) var schemaVersion: UInt64?
  /// Whether the file was synchronised with a server.
  public package(set) var isSynchronised: Bool
  /// The classes that the new file gets.
  public package(set) var schema: Schema
  /// What there is of each class, sorted by name. Nothing is ``ConversionReport/Class/written``.
  public package(set) var classes: [ConversionReport.Class]
  /// What can't be held, and is changed or left out as the choices say.
  public package(set) var findings: ConversionFindings
  /// What can't be held, and makes the conversion impossible as long as no choice is made for it.
  public package(set) var obstacles: ConversionFindings

  /// Whether the file can be converted with these choices.
  public var isPossible: Bool { obstacles.isEmpty }
}
