public import Foundation
public import StrataSchema

/// The content of a file as it says itself, found out without the classes of a program:
/// ``Realm/inspection(at:encryptionKey:countingObjects:)``.
///
/// Everything is as of one moment.
public struct RealmInspection: Sendable, Hashable {
  /// The file.
  public let fileURL: URL

  /// The version that the file is at; nil for a database that never was given one, such as that of
  /// another program.
  public let schemaVersion: UInt64?

  /// The classes of that version as the file records them, with the names of columns. Whether the
  /// tables are still as they must be is a question for ``Realm/problems(for:progress:)``.
  public let schema: Schema

  /// All versions that the file has been at, the oldest first.
  public let history: [SchemaVersion]

  /// The number of objects of each class. A class whose table is missing has none, nor has any
  /// class if objects were not counted.
  public let objectCounts: [String: Int]

  /// The tables and views of other programs, in the order of their names.
  public let otherTables: [String]

  /// The size of the file in bytes, without its WAL.
  public let fileSize: Int

  /// The size of its WAL (write-ahead log) in bytes: changes that are not in the file itself yet.
  public let logSize: Int

  /// How many bytes of the file are free for new objects. Compacting gives them back.
  public let unusedSize: Int
}
