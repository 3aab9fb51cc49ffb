// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let customDump = Target.Dependency.product(name: "CustomDump", package: "swift-custom-dump")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let issueReporting = Target.Dependency.product(
  name: "IssueReporting", package: "xctest-dynamic-overlay")
let issueReportingTestSupport = Target.Dependency.product(
  name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

// The command and the studio look into the library. Its folders are here by links, so that it is
// compiled as a part of this package, and nothing of its inside becomes public for them.
let library: [Target] = [
  .target(name: "CStrataRuntime"),
  .target(name: "StrataSchema"),
  .target(name: "StrataQuery", dependencies: ["StrataSchema"]),
  .target(name: "StrataRealmFile"),
  .target(
    name: "StrataRealmFileEncryption",
    dependencies: [
      "StrataRealmFile",
      .product(name: "Crypto", package: "swift-crypto"),
      .product(name: "CryptoExtras", package: "swift-crypto"),
    ]),
  .target(
    name: "StrataStorage",
    dependencies: [
      "CStrataRuntime", "StrataQuery", "StrataSchema", grdb, grdbSQLite, logging, issueReporting,
    ]),
  .target(
    name: "StrataRealmImport",
    dependencies: ["StrataRealmFile", "StrataSchema", "StrataStorage", grdb]),
  .target(
    name: "Strata",
    dependencies: [
      "CStrataRuntime", "StrataQuery", "StrataRealmFile", "StrataRealmImport", "StrataSchema",
      "StrataStorage", grdb, grdbSQLite, logging, issueReporting,
    ]),
]

// Tests of the library that need files which Realm encrypted, and what all tests need.
let libraryTests: [Target] = [
  .target(name: "TestKit", dependencies: ["StrataSchema"], path: "Tests/TestKit"),
  .target(
    name: "StrataTestKit",
    dependencies: ["Strata", "StrataSchema", "StrataStorage", "TestKit", grdb],
    path: "Tests/StrataTestKit"),
  .target(name: "RealmFileKit", dependencies: ["StrataRealmFile"], path: "Tests/RealmFileKit"),
  .testTarget(
    name: "StrataRealmFileTests",
    dependencies: ["TestKit", "RealmFileKit", "StrataRealmFile", "StrataRealmFileEncryption"],
    exclude: ["Files"]),
  .testTarget(
    name: "StrataRealmImportTests",
    dependencies: [
      "RealmFileKit", "Strata", "StrataRealmFile", "StrataRealmFileEncryption", "StrataRealmImport",
      "StrataSchema", "StrataStorage", "StrataTestKit", "TestKit", customDump, grdb,
      inMemoryLogging, issueReporting, issueReportingTestSupport, logging,
    ]),
]

let tools: [Target] = [
  .executableTarget(
    name: "StrataCommand",
    dependencies: [
      "StrataRealmImport", "StrataStorage", "Strata", "StrataRealmFile",
      "StrataRealmFileEncryption", "StrataSchema", "StrataStudio", argumentParser, grdb,
      grdbSQLite, issueReporting,
    ]),
  // The server of 'strata studio', and the files of its page.
  .target(
    name: "StrataStudio",
    dependencies: [
      "Strata", "StrataQuery", "StrataSchema", "StrataStorage", "CStudioPage", flyingSocks, grdb,
      grdbSQLite,
    ]),
  .target(name: "CStudioPage", exclude: ["Page"]),
  .testTarget(
    name: "StrataCommandTests",
    dependencies: [
      "StrataStorage", "Strata", "StrataCommand", "StrataRealmFile", "StrataSchema",
      "StrataStudio", "TestKit", argumentParser, grdb, issueReportingTestSupport,
    ]),
  .testTarget(
    name: "StrataStudioTests",
    dependencies: [
      "Strata", "StrataSchema", "StrataStudio", "StrataTestKit", "TestKit", flyingSocks, grdb,
      issueReportingTestSupport,
    ]),
  // The page of the studio in a real browser.
  .testTarget(
    name: "StudioPageTests",
    dependencies: [
      "Strata", "StrataCommand", "StrataStudio", "TestKit", flyingSocks, grdb,
      issueReportingTestSupport,
    ]),
]

let package = Package(
  name: "StrataTools",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "strata", targets: ["StrataCommand"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: library + libraryTests + tools,
  swiftLanguageModes: [.v6]
)

for target in package.targets where !["CStrataRuntime", "CStudioPage"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Encrypted files of Realm are a trait of the library, which is always on here.
    .define("EncryptedRealmFiles"),
  ]
}

// A seventh of the time that tests take to compile. Who wants to step through a test takes the line out.
for target in package.targets where target.type == .test {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-gnone"])]
}
