import ArgumentParser
import Foundation
import Logging

/// The command line of the server.
package struct ShopCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ShopServer", abstract: "Serves the shops of several tenants, a file for each.")

  @Option(help: "The folder with a file for each tenant.") var data: String?
  @Option(help: "The folder with replicas, NAME.replica for each tenant: the server only reads.")
  var replicas: String?
  @Option(help: "The address to listen at.") var host = "127.0.0.1"
  @Option(help: "The port; 0 for any that is free.") var port = 8080
  @Option(help: "A file to which the address is written when the server takes requests.")
  var addressFile: String?
  @Option(help: "The URL to which each order is sent.") var receiver: String?
  @Option(help: "How many files may be open at once.") var openTenants = 64
  @Option(help: "After how many seconds without a request a file is closed.") var idle = 60
  @Option(help: "How many seconds a replica may be behind.") var longestLag = 60

  package init() {}

  package func validate() throws {
    guard (data == nil) != (replicas == nil) else {
      throw ValidationError("Give either --data or --replicas.")
    }
    guard openTenants > 0, idle > 0, longestLag > 0, 0...65_535 ~= port else {
      throw ValidationError("Numbers are above zero, and a port is up to 65535.")
    }
    if let receiver {
      guard let url = URL(string: receiver), ["http", "https"].contains(url.scheme) else {
        throw ValidationError("The receiver is an URL, such as http://127.0.0.1:9000/orders.")
      }
    }
  }

  package func run() async throws {
    var settings = ShopSettings(
      folder: URL(fileURLWithPath: data ?? replicas ?? "", isDirectory: true))
    settings.readsReplicas = replicas != nil
    settings.host = host
    settings.port = port
    settings.addressFile = addressFile.map { URL(fileURLWithPath: $0) }
    settings.receiver = receiver
    settings.openTenants = openTenants
    settings.idleTime = .seconds(idle)
    settings.longestLag = .seconds(longestLag)
    try await ShopServer(settings, logger: Logger(label: "shop")).run()
  }
}
