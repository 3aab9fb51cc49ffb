import Foundation
import GRDB
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

private enum Connected {
  class Item: Object {
    @Persisted var name = ""
  }
}

/// The connections of the process to a file, which isn't deleted while there are any.
@Suite struct OpenConnectionsTests {
  private let folder: TestFolder
  private let connections = OpenConnections.shared

  init() throws { folder = try TestFolder() }

  private func isClosed(
    _ purposes: Set<OpenConnections.Purpose> = [.store, .inspection],
    atMost seconds: TimeInterval = 0
  ) -> Bool {
    connections.waitUntilClosed(folder.file, purposes, atMost: seconds)
  }

  @Test func `A file is closed when its last connection is`() throws {
    expectTrue(isClosed())
    try folder.open([Connected.Item.self]) { realm in
      expectFalse(isClosed([.store]))
      expectTrue(isClosed([.inspection]))
      try realm.write { realm.add(Connected.Item()) }
    }
    // The poll for commits of other processes may run at this moment.
    expectTrue(isClosed(atMost: 10))
    do {
      let queue = try Connections.openChecker(folder.file, nil)
      expectFalse(isClosed([.inspection]))
      try queue.close()
    }
    expectTrue(isClosed(atMost: 10))
  }

  @Test func `All ways to write a path are one file`() throws {
    let link = folder.file.appendingPathExtension("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file)
    try Data().write(to: folder.file)
    let token = connections.begin(link, for: .inspection)
    expectFalse(isClosed())
    withExtendedLifetime(token) {}
  }

  /// Runs a closure on a thread, and another one while it waits for a connection to be closed.
  private func whileConnected(
    _ purpose: OpenConnections.Purpose, _ body: @escaping @Sendable () throws -> Void,
    _ meanwhile: () throws -> Void
  ) throws {
    try folder.open([Connected.Item.self]) { _ in }
    expectTrue(isClosed(atMost: 10))
    let ended = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Void, any Error>?>(nil)
    do {
      let token = connections.begin(folder.file, for: purpose)
      Thread.detachNewThread {
        let outcome = Result { try body() }
        result.withLock { $0 = outcome }
        ended.signal()
      }
      expectEqual(ended.wait(timeout: .now() + 0.3), .timedOut)
      try meanwhile()
      withExtendedLifetime(token) {}
    }
    ended.wait()
    try result.withLock { $0 }?.get()
  }

  @Test func `Opening a file waits until connections of an earlier store are closed`() throws {
    let configuration = folder.configuration([Connected.Item.self])
    let open: @Sendable () throws -> Void = {
      let isEmpty = try Realm(configuration: configuration).isEmpty
      expectTrue(isEmpty)
    }
    try whileConnected(.store, open) {}
  }

  @Test func `A file that is being inspected is not deleted, and can be opened`() throws {
    let configuration = folder.configuration([Connected.Item.self])
    let delete: @Sendable () throws -> Void = {
      let existed = try Realm.deleteFiles(for: configuration)
      expectTrue(existed)
    }
    try whileConnected(.inspection, delete) {
      expectTrue(FileManager.default.fileExists(atPath: folder.file.path))
      let isEmpty = try folder.open([Connected.Item.self]) { $0.isEmpty }
      expectTrue(isEmpty)
    }
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
  }
}
