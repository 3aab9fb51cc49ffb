import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Strata

/// The settings of a server.
package struct ShopSettings: Sendable {
  /// The folder with a file or a replica for each tenant.
  package var folder: URL
  package var readsReplicas = false
  package var host = "127.0.0.1"
  /// The port; 0 for any free port.
  package var port = 8080
  /// The file for the address, written when the server accepts requests.
  package var addressFile: URL?
  /// The address of the receiver of the outbox.
  package var receiver: String?
  /// The maximum number of open files.
  package var openTenants = 64
  package var idleTime = Duration.seconds(60)
  /// The maximum age of a replica; beyond it, the server isn't ready.
  package var longestLag = Duration.seconds(60)

  package init(folder: URL) { self.folder = folder }
}

/// A server and its services, in the order of their start. They end in reverse order: first the
/// requests, then the services behind them, and the files last.
package struct ShopServer {
  private let settings: ShopSettings
  private let logger: Logger
  private let tenants: Tenants
  private let metrics = Metrics()

  package init(_ settings: ShopSettings, logger: Logger) {
    self.settings = settings
    self.logger = logger
    tenants = Tenants(
      settings.readsReplicas ? .replicas(settings.folder) : .files(settings.folder),
      observers: [metrics.files, .slowQueries()], limit: settings.openTenants,
      idleTime: settings.idleTime, logger: logger)
  }

  /// Runs the server until SIGTERM or SIGINT.
  package func run() async throws {
    try tenants.place.makeFolder()
    var configuration = ServiceGroupConfiguration(
      services: backgroundServices + [application()],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A client that never ends its request can't delay the shutdown.
    configuration.maximumGracefulShutdownDuration = .seconds(15)
    try await ServiceGroup(configuration: configuration).run()
  }

  /// The application with all its services, for tests.
  package func testable() -> some ApplicationProtocol {
    var application = application()
    application.addServices(backgroundServices)
    return application
  }

  private var backgroundServices: [any Service] {
    var services: [any Service] = [tenants]
    guard !settings.readsReplicas else { return services }
    services.append(OldAnswers(tenants: tenants, logger: logger))
    if let receiver = settings.receiver {
      services.append(
        Outbox(tenants: tenants, receiver: receiver, metrics: metrics, logger: logger))
    }
    return services
  }

  private func application() -> Application<RouterResponder<ShopContext>> {
    let router = Router(context: ShopContext.self)
    router.addMiddleware {
      MetricsMiddleware(metrics: metrics)
      ErrorMiddleware(metrics: metrics)
      TokenMiddleware()
      if settings.readsReplicas { ReaderMiddleware() }
    }
    HealthRoutes(tenants: tenants, metrics: metrics, longestLag: settings.longestLag)
      .add(to: router)
    ShopRoutes(tenants: tenants).add(to: router)
    return Application(
      router: router,
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port)),
      onServerRunning: { channel in sayAddress(channel) }, logger: logger)
  }

  private func sayAddress(_ channel: any Channel) {
    guard let address = channel.localAddress, let port = address.port else { return }
    logger.notice("Takes requests.", metadata: ["address": "\(settings.host):\(port)"])
    guard let file = settings.addressFile else { return }
    do {
      try Data("\(settings.host):\(port)\n".utf8).write(to: file, options: .atomic)
    } catch {
      logger.error("The address can't be written.", metadata: ["error": "\(error)"])
    }
  }
}
