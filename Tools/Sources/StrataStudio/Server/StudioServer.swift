import FlyingSocks

/// The server of the studio, which accepts connections on loopback until it is ended.
///
/// ```swift
/// let listeners = try LoopbackListeners(port: 0)
/// let server = StudioServer(listeners, handler: site)
/// try await server.start()
/// // … until the user ends it …
/// await server.end()
/// ```
package actor StudioServer {
  private let listeners: LoopbackListeners
  private let limits: StudioLimits
  private let handler: any RequestHandler
  private let register: ConnectionRegister
  private var tasks: [Task<Void, Never>] = []
  private var isEnded = false

  package init(
    _ listeners: LoopbackListeners, limits: StudioLimits = StudioLimits(),
    handler: any RequestHandler
  ) {
    self.listeners = listeners
    self.limits = limits
    self.handler = handler
    register = ConnectionRegister(maxCount: limits.connections)
  }

  /// Starts to accept connections. Connections since the creation of the listeners are queued.
  ///
  /// - Throws: ``ServerFailure`` if the system has no resources for it.
  package func start() async throws(ServerFailure) {
    do {
      let pool = try await LoopbackPool.shared.running()
      for socket in listeners.sockets {
        let listener = try AsyncSocket(socket: socket, pool: pool)
        tasks.append(Task { await accept(on: listener, pool) })
      }
    } catch {
      throw .system("\(error)")
    }
  }

  /// Ends the server within a second.
  ///
  /// Accepts no more connections, and ends streams. Running requests have half a second for their
  /// responses; then their tasks are cancelled.
  package func end() async {
    guard !isEnded else { return }
    isEnded = true
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    tasks = []
    register.end()
    for socket in listeners.sockets {
      do {
        try socket.close()
      } catch {
        // The descriptor is closed even if the system reports an error.
      }
    }
    await wait(atMost: limits.endTime)
    register.cancelAll()
    await wait(atMost: .milliseconds(300))
  }

  /// Waits until all connections have ended.
  private func wait(atMost time: Duration) async {
    let end = ContinuousClock.now + time
    while !register.isEmpty, ContinuousClock.now < end {
      do {
        try await Task.sleep(for: .milliseconds(5))
      } catch {
        return
      }
    }
  }

  nonisolated private func accept(
    on listener: AsyncSocket, _ pool: SocketPool<LoopbackQueue>
  ) async {
    while !Task.isCancelled {
      do {
        let socket = try await listener.accept()
        do {
          admit(try ClientSocket(socket, pool))
        } catch {
          try socket.close()
          throw error
        }
      } catch {
        // The client has disconnected, or the system is out of descriptors, possibly only for a
        // while.
        do {
          try await Task.sleep(for: .milliseconds(20))
        } catch {
          break
        }
      }
    }
    await pool.settle()
  }

  nonisolated private func admit(_ socket: ClientSocket) {
    guard let number = register.add() else {
      let response = Response(.tooManyConnections(limits.connections))
      Task {
        await refuse(socket, with: response)
      }
      return
    }
    let connection = Connection(
      number: number, socket: socket, handler: handler, limits: limits, register: register)
    let task = Task { [register] in
      await connection.run()
      register.remove(number)
    }
    register.attach(task, to: number)
  }

  nonisolated private func refuse(_ socket: ClientSocket, with response: Response) async {
    guard case .bytes(let body) = response.body else { return await socket.close() }
    let head = response.head(common: SecurityHeaders.all, keepsConnection: false)
    do {
      try await socket.write(head + body, pause: Connection.lastTime)
      await socket.finish(within: Connection.lastTime)
    } catch {
      // The client has disconnected already.
    }
    await socket.close()
  }
}
