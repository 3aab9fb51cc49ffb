// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let shop: [Target.Dependency] = [
  argumentParser,
  asyncHTTPClient,
  nio,
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "Logging", package: "swift-log"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "Strata", package: "Strata"),
]

let package = Package(
  name: "ShopServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    // With an explicit name, the name of the folder doesn't matter.
    .package(name: "Strata", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "Shop", dependencies: shop),
    .executableTarget(name: "ShopServer", dependencies: ["Shop"]),
    // The previous release, whose classes are at version 1. Its folders are links to the current
    // ones, where `SCHEMA_1` selects the old code.
    .target(name: "ShopBefore", dependencies: shop),
    .executableTarget(name: "ShopServerBefore", dependencies: ["ShopBefore"]),
    // The load generator of `make example-server`.
    .executableTarget(name: "ShopLoad", dependencies: [argumentParser, asyncHTTPClient, nio]),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop", "ShopBefore",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny")]
  if target.name.hasSuffix("Before") { target.swiftSettings? += [.define("SCHEMA_1")] }
}
