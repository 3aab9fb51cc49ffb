// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StrataBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // The name is explicit, so that the name of the folder doesn't matter.
    .package(name: "Strata", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "StrataBenchmarks",
      dependencies: [
        .product(name: "Strata", package: "Strata"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
