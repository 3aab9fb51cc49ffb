public import StrataSchema
import StrataStorage

/// The report of a conversion, class by class.
///
/// The sums are compared with the rows of the new file, which are counted before it gets its name:
/// for each class ``Class/read`` is the sum of ``Class/leftOut`` and ``Class/written``.
public struct ConversionReport: Sendable, Hashable {
  /// Objects, and what they hold.
  public struct Counts: Sendable, Hashable {
    /// How many objects.
    public package(set) var objects = 0
    /// How many links in properties that are not nil, those of an `AnyRealmValue` among them.
    public package(set) var links = 0
    /// How many elements of lists, sets and maps.
    public package(set) var elements = 0

    package static func + (first: Self, second: Self) -> Self {
      Counts(
        objects: first.objects + second.objects, links: first.links + second.links,
        elements: first.elements + second.elements)
    }
  }

  /// The report of one class.
  public struct Class: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// What the old file has.
    public package(set) var read = Counts()
    /// What the new file doesn't have: by a choice, or because two elements of a set are the same
    /// in it.
    public package(set) var leftOut = Counts()
    /// What the new file has.
    public package(set) var written = Counts()

    package init(name: String) { self.name = name }
  }

  /// The path of the file of Realm.
  public package(set) var source: String
  /// The path of the new file.
  public package(set) var path: String
  /// The format of the file of Realm.
  public package(set) var fileFormat: Int
  /// The schema version at which the new file was written: that of the old one, or 0 if it has
  /// none.
  public package(set) var schemaVersion: UInt64
  /// The classes, sorted by name.
  public package(set) var classes: [Class]
  /// What can't be held, and was changed or left out as the choices say.
  public package(set) var findings: ConversionFindings
  /// How long it took, without a migration that followed.
  public package(set) var duration: Duration

  /// The sums over all classes of what was read.
  public var read: Counts { classes.reduce(Counts()) { $0 + $1.read } }
  /// The sums over all classes of what was left out.
  public var leftOut: Counts { classes.reduce(Counts()) { $0 + $1.leftOut } }
  /// The sums over all classes of what was written.
  public var written: Counts { classes.reduce(Counts()) { $0 + $1.written } }
}

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

extension ConversionReport: CustomStringConvertible {
  /// A table of the classes, with what was changed.
  public var description: String {
    var headline =
      "'\(source)' (format \(fileFormat)) became '\(path)' at schema version \(schemaVersion), in "
      + "\(duration.milliseconds) ms:"
    if classes.isEmpty { headline = String(headline.dropLast()) + ". It has no classes." }
    let table = ConversionTable(classes) { $0.written }
    let changes =
      findings.isEmpty ? [] : ["Changed, as the choices say:", findings.description]
    return ([headline] + table.lines + changes).joined(separator: "\n")
  }
}

extension ConversionForecast: CustomStringConvertible {
  /// A table of the classes, with what can't be held.
  public var description: String {
    let version = schemaVersion.map { "schema version \($0)" } ?? "without a schema version"
    let end = isPossible ? "can be converted" : "can't be converted as it is"
    let table = ConversionTable(classes) { $0.read }
    var lines = ["'\(source)' (format \(fileFormat), \(version)) \(end):"] + table.lines
    if classes.isEmpty { lines = [String(lines[0].dropLast()) + ". It has no classes."] }
    if !findings.isEmpty { lines += ["Changed, as the choices say:", findings.description] }
    if !obstacles.isEmpty { lines += ["Can't be held:", obstacles.withRepairs] }
    return lines.joined(separator: "\n")
  }
}

/// The counts of classes, in columns.
private struct ConversionTable {
  let lines: [String]

  init(
    _ classes: [ConversionReport.Class],
    _ counts: (ConversionReport.Class) -> ConversionReport.Counts
  ) {
    guard !classes.isEmpty else {
      lines = []
      return
    }
    let hasOmissions = classes.contains { $0.leftOut != ConversionReport.Counts() }
    func row(
      _ name: String, _ counts: ConversionReport.Counts, _ leftOut: ConversionReport.Counts
    ) -> [String] {
      let numbers = [counts.objects, counts.links, counts.elements]
      let omitted = leftOut.objects + leftOut.links + leftOut.elements
      return [name] + (numbers + (hasOmissions ? [omitted] : [])).map(\.grouped)
    }
    var rows = [["class", "objects", "links", "elements"] + (hasOmissions ? ["left out"] : [])]
    rows += classes.map { row($0.name, counts($0), $0.leftOut) }
    if classes.count > 1 {
      rows.append(
        row(
          "all", classes.reduce(.init()) { $0 + counts($1) },
          classes.reduce(.init()) { $0 + $1.leftOut }))
    }
    lines = AlignedColumns.lines(rows).map { "  " + $0 }
  }
}
