import Strata
import Testing

private typealias Dog = Pets.Dog

@globalActor private actor Kennel: GlobalActor {
  static let shared = Kennel()
}

/// An actor with a realm.
private actor Keeper {
  private var realm: Realm?
  private var dog: Dog?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var names: [String] { realm?.objects(Dog.self).map(\.name) ?? [] }

  func create(_ name: String) async throws {
    dog = try await realm?.asyncWrite { realm?.create(Dog.self, value: [name]) }
  }

  func rename(_ name: String) async throws {
    try await realm?.asyncWrite { dog?.name = name }
  }

  func close() {
    realm = nil
    dog = nil
  }
}

@MainActor @Suite("Writing without blocking", .timeLimit(.minutes(5)))
struct AsyncWriteTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Pets.types))
  }

  private var names: [String] { realm.objects(Dog.self).map(\.name) }

  @Test func `A write returns what its closure returns, and says that it is running`()
    async throws
  {
    let dog = try await realm.asyncWrite {
      #expect(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
      return realm.create(Dog.self, value: ["Rex"])
    }
    #expect(!realm.isInWriteTransaction && !realm.isPerformingAsynchronousWriteOperations)
    #expect(dog.name == "Rex" && names == ["Rex"])
  }

  @Test func `A write may be cancelled inside of its closure`() async throws {
    try await realm.asyncWrite {
      realm.create(Dog.self, value: ["Rex"])
      realm.cancelWrite()
      #expect(!realm.isInWriteTransaction)
    }
    #expect(names == [])
  }

  @Test func `A closure that cancels may begin again`() async throws {
    try await realm.asyncWrite {
      realm.create(Dog.self, value: ["Rex"])
      realm.cancelWrite()
      realm.beginWrite()
      realm.create(Dog.self, value: ["Fido"])
    }
    #expect(names == ["Fido"] && !realm.isInWriteTransaction)
  }

  @Test func `A write changes an object that exists`() async throws {
    let dog = try await realm.asyncWrite { realm.create(Dog.self, value: ["Rex"]) }
    try await realm.asyncWrite { dog.name = "Fido" }
    #expect(dog.name == "Fido" && names == ["Fido"])
  }

  @Test(arguments: [true, false])
  func `An error of the closure undoes everything, and reaches the caller`(cancels: Bool)
    async throws
  {
    await #expect(throws: Deliberate(number: 3)) {
      try await realm.asyncWrite {
        realm.create(Dog.self, value: ["Rex"])
        if cancels { realm.cancelWrite() }
        throw Deliberate(number: 3)
      }
    }
    #expect(names == [] && !realm.isInWriteTransaction)
  }

  @Test @Kennel func `A global actor writes with its realm`() async throws {
    let configuration = file.configuration(Pets.types)
    let realm = try await Realm.open(configuration: configuration)
    let dog = try await realm.asyncWrite { realm.create(Dog.self, value: ["Rex"]) }
    try await realm.asyncWrite { dog.name = "Fido" }
    #expect(dog.name == "Fido" && realm.objects(Dog.self).map(\.name) == ["Fido"])
  }

  @Test func `An actor writes with its realm, and keeps its objects`() async throws {
    let keeper = try await Keeper(file.configuration(Pets.types))
    try await keeper.create("Rex")
    #expect(await keeper.names == ["Rex"])
    try await keeper.rename("Fido")
    #expect(await keeper.names == ["Fido"])
    await keeper.close()
    #expect(names == ["Fido"])
  }

  @Test func `A task that is cancelled while it waits doesn't write`() async throws {
    realm.beginWrite()
    let configuration = file.configuration(Pets.types)
    for _ in 0..<100 {
      let isReady = Box(false)
      let task = Task { @Kennel in
        let realm = try await Realm.open(configuration: configuration)
        isReady.value = true
        try await realm.asyncWrite { Issue.record("It must not run.") }
      }
      let opened = await eventually { isReady.value }
      #expect(opened)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    realm.cancelWrite()
    try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["Rex"]) }
    #expect(names == ["Rex"])
  }

  @Test func `A task that was cancelled before doesn't write`() async throws {
    let configuration = file.configuration(Pets.types)
    let task = Task { @Kennel in
      let realm = try await Realm.open(configuration: configuration)
      while !Task.isCancelled { await Task.yield() }
      try await realm.asyncWrite { Issue.record("It must not run.") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(names == [])
  }

  @Test func `The main actor opens its realm without blocking`() async throws {
    let configuration = file.configuration(Pets.types)
    let opened = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
    #expect(opened == realm)
    let ofActor = try await Realm(configuration: configuration, actor: MainActor.shared)
    #expect(ofActor == realm)
    try await Task { @Kennel in
      let first = try await Realm(configuration: configuration, actor: Kennel.shared)
      let second = try await Realm.open(configuration: configuration)
      #expect(first == second)
    }.value
  }
}
