public import StrataStorage

/// The result of opening a copy of a file: see ``Realm/rehearseMigration(for:of:in:)``.
public struct MigrationRehearsal: Sendable {
  /// The forecast for the file, as of the moment of the copy.
  public let forecast: MigrationForecast
  /// The migrations of the copy, in order. A plan whose stages commit on their own has several.
  public let reports: [MigrationReport]
  /// The time from the beginning of the opening until the file could be used. Copying isn't
  /// included.
  public let duration: Duration
  /// The size of the file before, in bytes.
  public let bytesBefore: Int64
  /// The size of the file afterwards, in bytes.
  public let bytes: Int64
  /// The greatest size of the WAL, in bytes.
  public let walBytes: Int64
  /// Problems of the migrated copy. Problems that the file has now are in it, unless the migration
  /// mends them.
  public let problems: [FileProblem]

  /// The space that the migration needs beside the file, in bytes, without a backup and without
  /// SQLite's temporary files: the growth of the file and the greatest WAL.
  public var neededBytes: Int64 { max(0, bytes - bytesBefore) + walBytes }
}

extension MigrationRehearsal: CustomStringConvertible {
  /// The reports, the time and the space, the problems, and what older programs may do with the
  /// file.
  public var description: String {
    func size(_ bytes: Int64) -> String { MigrationForecast.size(Int(clamping: bytes)) }
    var lines = reports.map(\.description)
    if reports.isEmpty { lines.append("Nothing was migrated.") }
    lines.append(
      "Opening took \(duration.milliseconds.grouped) ms. The file had \(size(bytesBefore)) and has "
        + "\(size(bytes)), the WAL had at most \(size(walBytes)).")
    lines.append(
      problems.isEmpty
        ? "The migrated file has no problems."
        : "The migrated file has \(problems.count.grouped) \(problems.count == 1 ? "problem" : "problems"):"
    )
    lines += problems.prefix(Self.maxShownProblems).map { "  \($0)" }
    if problems.count > Self.maxShownProblems {
      lines.append("  and \((problems.count - Self.maxShownProblems).grouped) more")
    }
    return (lines + forecast.olderPrograms.map(\.description)).joined(separator: "\n")
  }

  private static let maxShownProblems = 20
}

extension Int64 {
  fileprivate var grouped: String { Int(self).grouped }
}
