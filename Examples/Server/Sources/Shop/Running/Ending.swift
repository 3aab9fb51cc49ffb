import ServiceLifecycle

/// Whether a service should end: at a graceful shutdown, or because another service has failed.
var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

/// Sleeps, but no longer than until the service should end.
func pause(_ duration: Duration) async {
  do {
    try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
  } catch {
    // A sleep throws only for this reason.
  }
}
