public import StrataSchema
import StrataStorage

/// The report of a conversion, class by class.
///
/// The counts are compared with the rows of the new file, which are counted before it gets its
/// name. For each class, ``Class/read`` is the sum of ``Class/leftOut`` and ``Class/written``.
public struct ConversionReport: Sendable, Hashable {
  /// The numbers of objects, links and elements.
  public struct Counts: Sendable, Hashable {
    /// The number of objects.
    public package(set) var objects = 0
    /// The number of links that are not nil, including links in an `AnyRealmValue`.
    public package(set) var links = 0
    /// The number of elements of lists, sets and maps.
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
    /// The counts of the old file.
    public package(set) var read = Counts()
    /// The counts that are missing from the new file: by a choice, or because two elements of a set
    /// became equal.
    public package(set) var leftOut = Counts()
    /// The counts of the new file.
    public package(set) var written = Counts()

    package init(name: String) { self.name = name }
  }

  /// The path of the Realm file.
  public package(set) var source: String
  /// The path of the new file.
  public package(set) var path: String
  /// The format of the Realm file.
  public package(set) var fileFormat: Int
  /// The schema version of the new file: the version of the old file, or 0 if it has none.
  public package(set) var schemaVersion: UInt64
  /// The classes, sorted by name.
  public package(set) var classes: [Class]
  /// Data that couldn't be stored, and was changed or omitted according to the choices.
  public package(set) var findings: ConversionFindings
  /// The duration, without a following migration.
  public package(set) var duration: Duration

  /// The counts of all classes that were read.
  public var read: Counts { classes.reduce(Counts()) { $0 + $1.read } }
  /// The counts of all classes that were left out.
  public var leftOut: Counts { classes.reduce(Counts()) { $0 + $1.leftOut } }
  /// The counts of all classes that were written.
  public var written: Counts { classes.reduce(Counts()) { $0 + $1.written } }
}

/// The changes that a conversion would make. The whole file is read to find them, without writing.
public struct ConversionForecast: Sendable, Hashable {
  /// The path of the Realm file.
  public package(set) var source: String
  /// The format of the file.
  public package(set) var fileFormat: Int
  /// The schema version of the file; nil if it never got one from Realm. The new file then has
  /// version 0.
  public package(set) var schemaVersion: UInt64?
  /// Whether the file was synchronized with a server.
  public package(set) var isSynchronised: Bool
  /// The classes of the new file.
  public package(set) var schema: Schema
  /// The counts of each class, sorted by name. ``ConversionReport/Class/written`` is zero.
  public package(set) var classes: [ConversionReport.Class]
  /// Data that can't be stored, and is changed or omitted according to the choices.
  public package(set) var findings: ConversionFindings
  /// Data that can't be stored, and for which a choice is needed before the file can be converted.
  public package(set) var obstacles: ConversionFindings

  /// Whether the file can be converted with these choices.
  public var isPossible: Bool { obstacles.isEmpty }
}

extension ConversionReport: CustomStringConvertible {
  /// A table of the classes, with the changes.
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
  /// A table of the classes, with the data that can't be stored.
  public var description: String {
    let version = schemaVersion.map { "schema version \($0)" } ?? "without a schema version"
    let end = isPossible ? "can be converted" : "can't be converted as it is"
    let table = ConversionTable(classes) { $0.read }
    var lines = ["'\(source)' (format \(fileFormat), \(version)) \(end):"] + table.lines
    if classes.isEmpty { lines = [String(lines[0].dropLast()) + ". It has no classes."] }
    if !findings.isEmpty { lines += ["Changed, as the choices say:", findings.description] }
    if !obstacles.isEmpty { lines += ["Can't be stored:", obstacles.withRepairs] }
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

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
  /// The class whose objects are being read; nil after the last class, while indexes are created
  /// and rows counted.
  public let className: String?
  /// The number of completed objects of all classes.
  public let completedObjects: Int
  /// The number of objects of all classes.
  public let totalObjects: Int

  /// The completed fraction of the objects, from 0 to 1.
  public var fractionCompleted: Double {
    totalObjects == 0 ? 1 : min(1, Double(completedObjects) / Double(totalObjects))
  }
}

extension ConversionProgress: CustomStringConvertible {
  /// A text such as `Person: 12000 of 50000 objects`.
  public var description: String {
    let objects = "\(completedObjects) of \(totalObjects) objects"
    guard let className else { return "\(objects), making indexes" }
    return "\(className): \(objects)"
  }
}

/// The observer of a conversion: it reports the progress, and cancels the conversion on request.
/// Belongs to the thread that converts.
package final class ConversionMonitor {
  typealias Listener = @Sendable (ConversionProgress) -> Void

  private let listener: Listener?
  let cancellation: Cancellation?
  private let total: Int
  private var completed = 0
  private var className: String?
  private var lastNews = ContinuousClock.now

  /// The shortest time between two calls of the listener for the same class.
  private static let pause = Duration.milliseconds(50)
  /// The number of objects between two checks, minus one.
  private static let mask = 255

  init(_ listener: Listener?, _ cancellation: Cancellation?, total: Int) {
    self.listener = listener
    self.cancellation = cancellation
    self.total = total
  }

  /// Begins the objects of a class, or with nil the work after all classes.
  package func begin(_ className: String?) throws {
    self.className = className
    try report(always: true)
  }

  @inline(__always)
  package func advance() throws {
    completed += 1
    if completed & Self.mask == 0 { try report(always: false) }
  }

  private func report(always: Bool) throws {
    try check()
    guard let listener else { return }
    let now = ContinuousClock.now
    guard always || now - lastNews >= Self.pause else { return }
    lastNews = now
    listener(
      ConversionProgress(
        className: className, completedObjects: completed, totalObjects: max(total, completed)))
  }

  package func check() throws {
    try cancellation?.check()
  }
}
