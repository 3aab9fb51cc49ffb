// swift-tools-version: 6.2
import PackageDescription

// A program that gives readers the bytes which libFuzzer makes. It is a separate package, as the
// readers are compiled with libFuzzer's counters. Their folders are here by links, and of two
// modules only the files of readers: nothing of this needs a database.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "StrataSchema", path: "Library/StrataSchema"),
    .target(name: "StrataQuery", dependencies: ["StrataSchema"], path: "Library/StrataQuery"),
    .target(name: "StrataRealmFile", path: "Library/StrataRealmFile"),
    .target(name: "RealmFileKit", dependencies: ["StrataRealmFile"], path: "RealmFileKit"),
    .target(
      name: "StrataStorage", path: "Library/StrataStorage",
      sources: ["File/Cancellation.swift"]),
    .target(
      name: "StrataStudio", dependencies: ["StrataSchema", "StrataStorage"],
      path: "Studio/StrataStudio",
      sources: [
        "Wire", "Editing/CSVReader.swift", "Editing/ImportInput.swift",
        "Editing/ImportReader.swift", "Editing/ImportReport.swift", "Editing/ImportedKeys.swift",
        "Editing/JSONElements.swift", "Values/CSVCell.swift",
      ]),
    // The declaration of libFuzzer's function, and SQLite's opinion of statements.
    .target(name: "CFuzzing", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "CFuzzing", "RealmFileKit", "StrataQuery", "StrataRealmFile", "StrataSchema",
        "StrataStudio",
      ],
      // The system's linker fails on it.
      linkerSettings: [
        .unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Counters for the branches that an input takes, and a look at each pointer.
for target in package.targets where target.name != "CFuzzing" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
  ]
}
