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
