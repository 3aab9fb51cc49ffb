import Foundation
import ServiceLifecycle
import ServiceLifecycleTestKit
import Strata
import Testing

@Suite struct ServiceTests {
  @Test func `A service opens its file, holds it, and closes it at the shutdown`() async throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let service = RealmService(configuration)
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await service.run() }
        try await service.waitUntilOpen()
        #expect(await Realm.health(of: configuration) == nil)
        do {
          let realm = try await Realm.open(configuration: configuration)
          try await realm.asyncWrite { realm.add(Parcel(1, "Lima")) }
        }
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files == ["parcels.sqlite"])
    let error = await #expect(throws: Realm.Error.self) { try await service.waitUntilOpen() }
    #expect(error?.code == .fileAccess)
    #expect(
      error?.localizedDescription
        == "The service of the realm at path '\(folder.url.path)/parcels.sqlite' has ended, and the file is "
        + "closed. Wait for it only in services that come after it in their group.")
  }

  @Test func `A file that can't be opened ends the service, and those that wait for it`()
    async throws
  {
    let folder = try Folder()
    var configuration = folder.configuration()
    configuration.readOnly = true
    let service = RealmService(configuration)
    let waiting = Task { try await service.waitUntilOpen() }
    await #expect(throws: Realm.Error.self) { try await service.run() }
    await #expect(throws: Realm.Error.self) { try await waiting.value }
    await #expect(throws: Realm.Error.self) { try await service.waitUntilOpen() }
  }

  @Test func `A realm that isn't released is named when the service ends`() async throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let service = RealmService(configuration, closesWithin: .milliseconds(20))
    let realm = try await Realm.open(configuration: configuration)
    let error = await #expect(throws: Realm.Error.self) {
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await service.run() }
          try await service.waitUntilOpen()
          trigger.triggerGracefulShutdown()
          try await group.waitForAll()
        }
      }
    }
    #expect(error?.code == .alreadyOpen)
    withExtendedLifetime(realm) {}
  }

  @Test func `A task that waits for a service can be cancelled, and a service as well`()
    async throws
  {
    let folder = try Folder()
    let configuration = folder.configuration()
    let service = RealmService(configuration)
    let waiting = Task { try await service.waitUntilOpen() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let running = Task { try await service.run() }
    try await service.waitUntilOpen()
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files == ["parcels.sqlite"])
  }
}
