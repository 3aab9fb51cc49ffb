import ServiceLifecycle

/// Whether a service should come to its end: in good order, or because another one has failed.
var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

/// Waits, and no longer than until the service should come to its end.
func pause(_ duration: Duration) async {
  do {
    try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
  } catch {
    // A sleep ends early for this reason only.
  }
}
