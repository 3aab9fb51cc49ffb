// swift-tools-version: 6.2
import PackageDescription

// A program with all traits of the package. It is a separate package, since the depending package
// chooses the traits.
let package = Package(
  name: "Traits",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "Strata", path: "../..", traits: ["Metrics", "Tracing", "ServiceLifecycle"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .testTarget(
      name: "TraitsTests",
      dependencies: [
        .product(name: "Strata", package: "Strata"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
