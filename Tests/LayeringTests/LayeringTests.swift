import Testing

/// Keeps the sources in the order that the guide for contributors describes.
@Suite struct LayeringTests {
  private static let database: Set = ["GRDB", "GRDBSQLite"]

  /// What may import the database inside of `Sources/Strata`: a folder, and single files of
  /// `Migration` and `Realm` that hold a connection. Each with the reason.
  private static let databaseUsers = [
    "Sources/Strata/Storage": "everything that talks to SQLite is here",
    "Sources/Strata/Migration/StoreOpener.swift": "holds the writer while a file is opened",
    "Sources/Strata/Migration/Migrator.swift": "runs as a migration of GRDB's migrator",
    "Sources/Strata/Migration/MigrationContext.swift": "holds the old and the new connection",
    "Sources/Strata/Migration/MigrationContext+Changes.swift": "creates and deletes rows",
    "Sources/Strata/Migration/MigrationContext+Rows.swift": "reads and writes single rows",
    "Sources/Strata/Migration/MigrationContext+Renames.swift": "brings columns back from old rows",
    "Sources/Strata/Migration/MigrationContext+Links.swift": "looks for the objects that link",
    "Sources/Strata/Migration/MigrationCollection.swift": "reads and writes collections",
    "Sources/Strata/Migration/MigrationTable.swift": "knows which connection its rows are on",
    "Sources/Strata/Migration/Plan/MigrationForecast.swift": "reads a file without opening it",
    "Sources/Strata/Migration/Typed/TypedRow.swift": "reads values through a statement",
    "Sources/Strata/Migration/Versions/FrozenFile.swift": "makes a file without opening it",
    "Sources/Strata/Migration/Versions/VersionStepRunner.swift": "holds the old connection",
    "Sources/Strata/Migration/VersionReader.swift": "reads versions without opening a file",
    "Sources/Strata/Realm/Realm+Database.swift": "is the one door to the connection",
  ]

  /// Uses of an upper folder's types in a lower one, each with the reason.
  private static let upwardUses: [LayerRule.Exception: String] = [:]

  @Test func `Only storage knows the database`() throws {
    try expectNone(
      ImportRule(
        folder: "Sources/Strata", modules: Self.database, exceptions: Self.databaseUsers
      ).violations(in: .read()))
  }

  @Test func `Values and decisions need nothing but Swift`() throws {
    let modules = Self.database.union(["Foundation", "FoundationEssentials", "Strata"])
    try expectNone(
      ImportRule(folder: "Sources/StrataSchema", modules: modules).violations(in: .read()))
  }

  @Test(arguments: ["Sources/StrataExample", "Tests/CompatibilityTests"])
  func `Users need only the public API`(folder: String) throws {
    try expectNone(
      ImportRule(folder: folder, modules: Self.database, allowsTestable: false)
        .violations(in: .read()))
  }

  @Test func `Each folder of Strata uses only those before it`() throws {
    try expectNone(
      LayerRule(
        module: "Strata",
        folders: [
          "Errors", "Values", "Objects", "Collections", "Discovery", "Storage", "Migration",
          "Queries", "Realm",
        ],
        exceptions: Self.upwardUses
      ).violations(in: .read()))
  }

  @Test func `Databases are opened by SQLite only`() throws {
    try expectNone(
      DescriptorRule(
        folders: ["Sources/Strata", "Sources/StrataSchema", "Sources/StrataTestSupport"],
        exceptions: [
          "Sources/Strata/Storage/File/PlainFile.swift": "knows the rule",
          "Sources/Strata/Migration/Versions/FrozenSchema.swift": "reads JSON",
        ]
      ).violations(in: .read()))
  }

  @Test func `Files are short and know no particular machine`() throws {
    try expectNone(FileRule(longest: 400).violations(in: .read()))
  }

  private func expectNone(
    _ violations: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for violation in violations {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
