// swift-tools-version: 6.2
import PackageDescription

// Libraries of other packages.
let customDump = Target.Dependency.product(name: "CustomDump", package: "swift-custom-dump")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let issueReporting = Target.Dependency.product(
  name: "IssueReporting", package: "xctest-dynamic-overlay")
let issueReportingTestSupport = Target.Dependency.product(
  name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

// Those of the package's traits: fetched and built only where a trait is on.
let crypto = Target.Dependency.product(
  name: "Crypto", package: "swift-crypto", condition: .when(traits: ["EncryptedRealmFiles"]))
let cryptoExtras = Target.Dependency.product(
  name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["EncryptedRealmFiles"]))
let coreMetrics = Target.Dependency.product(
  name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
let tracing = Target.Dependency.product(
  name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle",
  condition: .when(traits: ["ServiceLifecycle"]))

let swiftUIDependencies: [Target.Dependency] = [
  "Strata", issueReporting,
]

// What tests need that look into the library.
let insideOfStrata: [Target.Dependency] = [
  "RealmFileKit", "Strata", "StrataQuery", "StrataRealmFile", "StrataRealmFileEncryption",
  "StrataRealmImport", "StrataSchema", "StrataStorage", "StrataTestKit", "TestKit", customDump,
  grdb,
  inMemoryLogging, issueReporting, issueReportingTestSupport, logging,
]

// Where Apple's framework is missing, tests compile the sources of StrataSwiftUI with declarations
// of our own. The name of a module is replaced for these targets only: others see no 'SwiftUI'.
#if os(Linux)
  let checkedSwiftUI: [Target.Dependency] = ["StrataSwiftUIChecked", "SwiftUIStub"]
  let swiftUIStub = [
    SwiftSetting.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIStub"])
  ]
  let checkedNames = [
    SwiftSetting.unsafeFlags(["-module-alias", "StrataSwiftUI=StrataSwiftUIChecked"])
  ]
#else
  let checkedSwiftUI: [Target.Dependency] = ["StrataSwiftUI"]
#endif

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Strata", targets: ["Strata"]),
    .library(name: "RealmSwift", targets: ["RealmSwift"]),
    .library(name: "StrataSwiftUI", targets: ["StrataSwiftUI"]),
    .library(name: "StrataTestSupport", targets: ["StrataTestSupport"]),
    .library(name: "StrataRealmFile", targets: ["StrataRealmFile"]),
    .library(name: "StrataRealmFileEncryption", targets: ["StrataRealmFileEncryption"]),
  ],
  traits: [
    .trait(
      name: "EncryptedRealmFiles",
      description: "Files that Realm encrypted, read with swift-crypto."),
    .trait(name: "Metrics", description: "Metrics of files, with swift-metrics."),
    .trait(name: "Tracing", description: "Spans of files, with swift-distributed-tracing."),
    .trait(name: "ServiceLifecycle", description: "Files as services of swift-service-lifecycle."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "CStrataRuntime"),
    .target(name: "StrataSchema"),
    .target(name: "StrataQuery", dependencies: ["StrataSchema"]),
    .target(name: "StrataRealmFile"),
    .target(
      name: "StrataRealmFileEncryption",
      dependencies: [
        "StrataRealmFile",
        crypto,
        cryptoExtras,
      ]
    ),
    // SQLite, through GRDB. No model class is known here.
    .target(
      name: "StrataStorage",
      dependencies: [
        "CStrataRuntime",
        "StrataQuery",
        "StrataSchema",
        grdb,
        grdbSQLite,
        logging,
        issueReporting,
      ]
    ),
    // Files of Realm become files of Strata.
    .target(
      name: "StrataRealmImport",
      dependencies: [
        "StrataRealmFile",
        "StrataSchema",
        "StrataStorage",
        grdb,
      ]
    ),
    .target(
      name: "Strata",
      dependencies: [
        "CStrataRuntime",
        "StrataQuery",
        "StrataRealmFile",
        "StrataRealmImport",
        "StrataSchema",
        "StrataStorage",
        grdb,
        grdbSQLite,
        logging,
        issueReporting,
        coreMetrics,
        tracing,
        serviceLifecycle,
      ]
    ),
    // For programs that say 'import RealmSwift'.
    .target(name: "RealmSwift", dependencies: ["Strata"]),
    .target(
      name: "StrataTestSupport",
      dependencies: [
        "Strata",
        "StrataSchema",
        "StrataStorage",
        customDump,
        grdb,
        issueReporting,
        // Without it a failure is silent on Linux.
        issueReportingTestSupport,
      ]
    ),
    .target(name: "StrataSwiftUI", dependencies: swiftUIDependencies),
    .executableTarget(name: "StrataExample", dependencies: ["Strata"]),
    .testTarget(
      name: "StrataSchemaTests",
      dependencies: [
        "TestKit",
        "StrataSchema",
        customDump,
        issueReportingTestSupport,
      ]
    ),
    .testTarget(
      name: "StrataQueryTests",
      dependencies: [
        "TestKit",
        "StrataQuery",
        "StrataSchema",
        customDump,
        issueReportingTestSupport,
      ]
    ),
    .testTarget(
      name: "StrataStorageTests",
      dependencies: [
        "StrataSchema", "StrataStorage", "StrataTestKit", "TestKit", grdb,
        issueReportingTestSupport,
      ]
    ),
    .testTarget(name: "StrataRealmImportTests", dependencies: insideOfStrata),
    .testTarget(name: "StrataTests", dependencies: insideOfStrata + ["CStrataRuntime"]),
    // What the thread sanitizer looks at.
    .testTarget(name: "ThreadTests", dependencies: insideOfStrata + ["CPerturb"]),
    .testTarget(name: "RandomTests", dependencies: insideOfStrata),
    .testTarget(
      name: "CompatibilityTests",
      dependencies: checkedSwiftUI + [
        "StrataTestKit", "TestKit", "Strata", "StrataRealmFile", "StrataRealmFileEncryption",
        issueReportingTestSupport,
      ],
      exclude: ["API/README.md", "README.md"]
    ),
    .testTarget(
      name: "StrataTestSupportTests",
      dependencies: [
        "Strata",
        "StrataExample",
        "StrataTestSupport",
        "TestKit",
        grdb,
        issueReporting,
      ]
    ),
    .testTarget(
      name: "StrataRealmFileTests",
      dependencies: ["TestKit", "RealmFileKit", "StrataRealmFile", "StrataRealmFileEncryption"],
      exclude: ["Files"]
    ),
    // What several targets of tests need.
    .target(name: "TestKit", dependencies: ["StrataSchema"], path: "Tests/TestKit"),
    // Files of tests, models, and ways to wait.
    .target(
      name: "StrataTestKit",
      dependencies: ["Strata", "StrataSchema", "StrataStorage", "TestKit", grdb],
      path: "Tests/StrataTestKit"
    ),
    // Makes files as Realm writes them, and such as it never would; finds those that it wrote.
    .target(name: "RealmFileKit", dependencies: ["StrataRealmFile"], path: "Tests/RealmFileKit"),
    // Sources as users of RealmSwift write them, in both modes of the language. A target has one:
    // the second has the folder of the first, by a link.
    .testTarget(name: "QuerySourceTests", dependencies: ["Strata"]),
    .testTarget(name: "QuerySourceSwift5Tests", dependencies: ["Strata"]),
    // Programs that were written for RealmSwift, in both modes of the language, without a warning.
    .testTarget(name: "PortedProgramTests", dependencies: ["RealmSwift"]),
    .testTarget(name: "PortedProgramSwift5Tests", dependencies: ["RealmSwift"]),
    .testTarget(name: "LayeringTests", dependencies: ["TestKit"]),
    // Lets time pass in the middle of work, by a seed.
    .target(
      name: "CPerturb", path: "Tests/CPerturb", linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .target(
      name: "CFaultHooks", dependencies: ["CPerturb"], path: "Tests/CFaultHooks",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .executableTarget(
      name: "FaultWorker",
      dependencies: ["CFaultHooks", "CPerturb", "Strata", "StrataStorage", grdb],
      path: "Tests/FaultWorker"
    ),
    .testTarget(
      name: "FaultTests",
      dependencies: ["FaultWorker", "TestKit", grdb]
    ),
  ],
  swiftLanguageModes: [.v6]
)

#if os(Linux)
  package.targets += [
    .target(name: "SwiftUIStub", path: "Tests/SwiftUIStub"),
    .target(
      name: "StrataSwiftUIChecked", dependencies: swiftUIDependencies + ["SwiftUIStub"],
      path: "Tests/StrataSwiftUIChecked"
    ),
    .testTarget(
      name: "StrataSwiftUITests",
      dependencies: [
        "Strata",
        "TestKit",
        issueReportingTestSupport,
      ] + checkedSwiftUI
    ),
  ]
#endif

for target in package.targets {
  switch target.name {
  case "CStrataRuntime", "CFaultHooks", "CPerturb": break
  case "QuerySourceTests": break
  case "QuerySourceSwift5Tests": target.swiftSettings = [.swiftLanguageMode(.v5)]
  case "PortedProgramTests": target.swiftSettings = [.treatAllWarnings(as: .error)]
  case "PortedProgramSwift5Tests":
    target.swiftSettings = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
  default:
    target.swiftSettings = [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
  }
}

#if os(Linux)
  for target in package.targets {
    switch target.name {
    case "StrataSwiftUIChecked": target.swiftSettings? += swiftUIStub
    case "StrataSwiftUITests", "CompatibilityTests":
      target.swiftSettings? += swiftUIStub + checkedNames
    default: break
    }
  }
#endif

// A seventh of the time that tests take to compile. Who wants to step through a test takes the line out.
for target in package.targets where target.type == .test {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-gnone"])]
}
