import TestKit
import Testing

/// The order of the sources that the guide for contributors describes.
@Suite struct LayeringTests {
  private static let database: Set = ["GRDB", "GRDBSQLite"]

  /// The places in `Sources/Strata` that may import the database, each with the reason.
  private static let databaseUsers = [
    "Sources/Strata/Rows": "the rows of classes, on the hot path",
    "Sources/Strata/Sessions": "what a place sees of a file, and its transactions",
    "Sources/Strata/Observing/Sources": "reads the rows of two snapshots",
    "Sources/Strata/Observing/Center": "reads what a commit changed",
    "Sources/Strata/Migrating/Stages": "runs the transaction of a migration",
    "Sources/Strata/Migrating/Block/MigrationContext.swift": "holds the old connection",
    "Sources/Strata/Migrating/Block/NewSide.swift": "holds the new connection",
    "Sources/Strata/Migrating/Block/MigrationCollection.swift": "hands it to a stored collection",
    "Sources/Strata/Opening": "reads what a file says of itself, and makes its connections",
    "Sources/Strata/Realm/Realm+Database.swift": "is the one door to the connection",
  ]

  @Test func `Only storage knows the database`() throws {
    try expectNone(
      ImportRule(
        folder: "Sources/Strata", modules: Self.database, exceptions: Self.databaseUsers
      ).violations(in: .read()))
  }

  @Test func `The file of storage that fuzzers compile needs no database`() throws {
    let path = "Sources/StrataStorage/File/Cancellation.swift"
    let file = try #require(try SourceTree.read().files.first { $0.path == path })
    expectFalse(file.text.contains("import GRDB"))
  }

  @Test(arguments: ["StrataSchema", "StrataQuery"])
  func `Values and decisions need nothing but Swift`(module: String) throws {
    let modules = Self.database.union(["Foundation", "FoundationEssentials", "Strata"])
    try expectNone(
      ImportRule(folder: "Sources/\(module)", modules: modules).violations(in: .read()))
  }

  @Test func `Storage knows no model class`() throws {
    let modules: Set = ["Strata", "StrataRealmImport", "StrataRealmFile"]
    try expectNone(
      ImportRule(folder: "Sources/StrataStorage", modules: modules).violations(in: .read()))
  }

  @Test(arguments: [
    "Sources/StrataExample", "Examples/Server", "Tests/CompatibilityTests",
    "Tests/ThreadTests/Compatibility",
  ])
  func `Users need only the public API`(folder: String) throws {
    try expectNone(
      ImportRule(folder: folder, modules: Self.database, allowsTestable: false)
        .violations(in: .read()))
  }

  /// The folders of each module, in an order in which each uses only those before it.
  private static let folders = [
    "StrataSchema": [
      "Model", "Nested", "Tables", "SQL", "Diff", "Validation", "Operations", "Transform", "Check",
      "Stages", "History", "Compatibility",
    ],
    "StrataQuery": ["Geo", "Predicate", "Text", "Format", "Resolve", "Compile", "Changes"],
    "StrataStorage": [
      "Errors", "Logging", "Activity", "Values", "Functions", "History", "File", "Places",
      "Snapshots",
      "Writing", "Replica",
      "Maintenance/Check", "Progress", "Operations/Rows", "Operations/Checks", "Operations",
      "Maintenance/Backup",
    ],
    "StrataRealmImport": ["Values", "Report", "Rows", "File"],
    "Strata": [
      "Values", "Objects", "Objects/Properties", "Objects/KeyPaths", "Collections",
      "Discovery/Dynamic", "Discovery", "Rows/Columns", "Rows/Collections", "Rows", "Sessions",
      "Sessions/Reading", "Sessions/Writing", "Observing/Sources", "Observing/Center",
      "Observing/Delivery",
      "Migrating/Block", "Migrating/Changes", "Migrating/API", "Migrating/Plan",
      "Opening/Configuration", "Migrating/Stages", "Migrating/Forecast", "Opening",
      "Querying/InMemory", "Querying", "Querying/TypeSafe", "Querying/Predicates",
      "Querying/Sections", "Realm", "Observing", "Sessions/Sharing",
      "Sessions/Threads",
      "Realm/Projections", "Realm/History", "Realm/Dynamic", "Adapters",
    ],
    "StrataRealmFile": [
      "Errors", "Values", "Model", "Bytes", "Nodes", "Columns", "Trees", "Schema", "Reading",
      "File",
    ],
    "StrataSwiftUI": ["Showing", "Bindings", "Wrappers"],
    "StrataStudio": [
      "Wire", "Access", "Server", "Values", "Reading", "Exporting", "Live", "Editing",
      "Opening", "Routes",
    ],
    "StrataCommand": [
      "Text", "Files", "Schemas", "Schemas/Diagram", "Twin", "Reports", "Terminal", "Questions",
      "Postgres", "Studio", "Following", "Manual", "Commands",
    ],
    "StrataBenchmarks": [
      "Case", "Models", "Peers", "Cases", "Report", "Report/Charts", "Running",
      "Instructions",
    ],
  ]

  @Test(arguments: folders.keys.sorted())
  func `Each folder of a module uses only those before it`(module: String) throws {
    try expectNone(
      LayerRule(module: module, folders: Self.folders[module] ?? []).violations(in: .read()))
  }

  @Test func `Databases are opened by SQLite only`() throws {
    try expectNone(
      DescriptorRule(
        folders: [
          "Sources/Strata", "Sources/StrataSchema", "Sources/StrataQuery",
          "Sources/StrataStorage", "Sources/StrataRealmImport",
          "Sources/StrataTestSupport",
          "Sources/StrataRealmFile", "Tools/Sources/StrataCommand", "Sources/StrataSwiftUI",
          "Tools/Sources/StrataStudio",
        ],
        exceptions: [
          "Sources/StrataStorage/File/PlainFile.swift":
            "knows the rule, and copies a file to which the process has no connection",
          "Sources/Strata/Migrating/Plan/FrozenSchema.swift": "reads JSON",
          "Sources/StrataRealmFile/Bytes/SourceFile.swift":
            "opens what Realm wrote, and closes no database",
          "Tools/Sources/StrataCommand/Files/InputFile.swift":
            "reads the first bytes before SQLite opens anything",
          "Tools/Sources/StrataCommand/Files/EncryptionKeyFile.swift": "reads keys",
          "Tools/Sources/StrataStudio/Editing/ImportInput.swift":
            "reads what is imported, which the command makes sure is no part of the database",
          "Tools/Sources/StrataCommand/Terminal/Output.swift":
            "writes to the outputs of the process",
          "Tools/Sources/StrataCommand/Terminal/Browser.swift": "starts a program without streams",
          "Tools/Sources/StrataCommand/Following/LitestreamChild.swift": "opens a lock",
          "Tools/Sources/StrataCommand/Following/LitestreamProgram.swift":
            "reads what a program prints",
          "Tools/Sources/StrataCommand/Files/NewTextFile.swift": "writes a text for other programs",
          "Tools/Sources/StrataStudio/Server/UploadFile.swift":
            "makes new files that are no databases",
        ]
      ).violations(in: .read()))
  }

  @Test func `A slot is made where the properties of a class are listed`() throws {
    try expectNone(
      CodeRule(
        folder: "Sources", texts: ["_PropertySlot(number"],
        message: "makes a slot of a number: ask a class for it",
        exceptions: ["Sources/StrataSchema/Model/PropertySet.swift": "lists them"]
      ).violations(in: .read()))
  }

  @Test func `Texts of users are told apart by their bytes`() throws {
    let names = "names of classes, properties and tables"
    let values = "a dictionary that the program gives, by the names of properties"
    try expectNone(
      CodeRule(
        folder: "Sources/Strata", texts: ["[String: Any", "Set<String>"],
        message: "takes texts for equal that look alike: use 'StoredText' for texts of users",
        exceptions: [
          "Sources/Strata/Discovery": names,
          "Sources/Strata/Observing/Sources": names,
          "Sources/Strata/Opening": names,
          "Sources/Strata/Migrating/Forecast": names,
          "Sources/Strata/Migrating/Stages": names,
          "Sources/Strata/Migrating/Changes": names,
          "Sources/Strata/Migrating/Block/BlockClasses.swift": names,
          "Sources/Strata/Migrating/Block/BlockStatus.swift": names,
          "Sources/Strata/Migrating/Block/MigrationContext.swift": names,
          "Sources/Strata/Objects/ClassInfo.swift": names,
          "Sources/Strata/Rows/TableSet.swift": names,
          "Sources/Strata/Sessions/Store.swift": names,
          "Sources/Strata/Migrating/API": values,
          "Sources/Strata/Migrating/Block/MigrationContext+Links.swift": values,
          "Sources/Strata/Migrating/Block/MigrationCreator.swift": values,
          "Sources/Strata/Migrating/Block/ObjectBase+DynamicObject.swift": values,
          "Sources/Strata/Objects/Link.swift": values,
          "Sources/Strata/Objects/Properties/ObjectBase+Values.swift": values,
          "Sources/Strata/Realm": values,
          "Sources/Strata/Sessions/DraftReader.swift": values,
          "Sources/Strata/Collections/AnyRealmValue+Nested.swift":
            "a dictionary that the program gives",
          "Sources/Strata/Collections/Map.swift": "a dictionary that the program gives",
        ]
      ).violations(in: .read()))
  }

  @Test func `What only Apple's platforms compile is listed for contributors`() throws {
    let guide = try SourceTree.text("CONTRIBUTING.md")
    let conditions = [
      "canImport(Darwin)", "canImport(ObjectiveC)", "canImport(SwiftUI)", "canImport(Glibc)",
      "canImport(FoundationEssentials)", "__APPLE__", "os(macOS)",
    ]
    var count = 0
    for file in try SourceTree.read().files where file.isSource {
      guard conditions.contains(where: { file.text.contains($0) }) else { continue }
      count += 1
      let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
      let name = file.path.split(separator: "/").last ?? ""
      expectTrue(
        guide.contains("`\(name)`") || guide.contains("`\(folder)`"),
        "\(file.path) has a condition for a platform: name it in CONTRIBUTING.md.")
    }
    expectTrue(count > 10)
  }

  @Test func `Files are short and know no particular machine`() throws {
    try expectNone(FileRule(longest: 400).violations(in: .read()))
  }

  /// A budget may fall. It grows with a reason only.
  @Test func `The sources keep within their budgets`() throws {
    let files = try SourceTree.read().files.filter { $0.isInside("Sources") }
    func lines(_ files: [SourceFile]) -> Int { files.reduce(0) { $0 + $1.lineCount } }
    func largest<Key>(_ groups: [Key: [SourceFile]], _ size: ([SourceFile]) -> Int) -> (Key, Int)? {
      groups.map { ($0.key, size($0.value)) }.max { $0.1 < $1.1 }
    }
    let names = files.map { ($0, $0.path.split(separator: "/")) }
    let modules = Dictionary(grouping: names) { $0.1[1] }.mapValues { $0.map(\.0) }
    let folders = Dictionary(grouping: names) { $0.1.dropLast() }.mapValues { $0.map(\.0) }
    expectWithin(("Sources", lines(files)), 83_600, "lines")
    expectWithin(("Sources", files.count), 453, "files")
    expectWithin(("Sources", files.count { $0.lineCount < 40 }), 18, "files below 40 lines")
    expectWithin(largest(modules, lines), 37_700, "lines of a module")
    expectWithin(largest(folders, \.count), 24, "files of a folder")
  }

  private func expectWithin<Name>(
    _ actual: (Name, Int)?, _ budget: Int, _ unit: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectTrue(
      actual.map { $0.1 <= budget } ?? false, "\(String(describing: actual)), \(budget) \(unit)",
      sourceLocation: sourceLocation)
  }

  @Test func `Comments are narrow, and those of types begin with a noun`() throws {
    try expectNone(CommentRule(widest: 100).violations(in: .read()))
  }

  @Test func `Comments and names are in plain words`() throws {
    try expectNone(HabitRule().violations(in: .read()))
  }

  @Test func `What threads share says who guards it`() throws {
    try expectNone(SharingRule(most: 20).violations(in: .read()))
  }

  @Test func `No lock is held in the frame of a function that awaits`() throws {
    try expectNone(
      LockRule(whole: ["Tools/Sources/StrataStudio"]).violations(in: .read()))
  }

  @Test func `A word in the name of a type has its one meaning`() throws {
    try expectNone(
      WordRule(table: SourceTree.text("docs/architecture.md")).violations(in: .read()))
  }

  private func expectNone(
    _ violations: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for violation in violations {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
