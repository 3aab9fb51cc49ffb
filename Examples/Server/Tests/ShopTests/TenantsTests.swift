import Foundation
import Testing

@Suite struct TenantsTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func `Each tenant has its own products`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north", stock: 1)
      try await client.makeTenant("south", stock: 2)
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 1)
      #expect(try await client.get("/tenants/south/products/TEAPOT").int("stock") == 2)
    }
  }

  @Test func `A tenant is made on demand only`() async throws {
    try await shop.run { client in
      let reply = try await client.get("/tenants/north/orders")
      #expect(reply.status == 404)
      #expect(reply.code == "no_tenant")
      #expect(try await client.send(.put, "/tenants/north").status == 201)
      #expect(try await client.send(.put, "/tenants/north").status == 200)
      #expect(try await client.get("/tenants/north/orders").status == 200)
    }
    #expect(try files() == ["north.sqlite"])
  }

  @Test(arguments: [
    "..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "a%00b", "North", "-a", "a.b", "%20",
    String(repeating: "a", count: 41),
  ])
  func `A name never becomes a path`(_ name: String) async throws {
    try await shop.run { client in
      let reply = try await client.send(.put, "/tenants/\(name)")
      #expect([400, 404].contains(reply.status), "\(reply.text)")
    }
    #expect(try files().isEmpty)
  }

  @Test func `More tenants than may be open take turns`() async throws {
    try await shop.run {
      $0.openTenants = 2
    } _: { client in
      let names = (0..<6).map { "tenant-\($0)" }
      for name in names { try await client.makeTenant(name) }
      try await withThrowingTaskGroup(of: Reply.self) { group in
        for name in names + names + names {
          group.addTask {
            while true {
              let reply = try await client.get("/tenants/\(name)/products/TEAPOT")
              if reply.code != "too_many_tenants" { return reply }
              #expect(reply.status == 503)
              #expect(reply.headers[.retryAfter] == "1")
            }
          }
        }
        for try await reply in group { #expect(reply.int("stock") == 10) }
      }
      #expect(try await client.get("/metrics").text.contains("shop_tenants_open 2.0"))
    }
  }

  @Test func `A file that nobody uses is closed`() async throws {
    try await shop.run {
      $0.idleTime = .milliseconds(200)
    } _: { client in
      try await client.makeTenant("north")
      let limit = ContinuousClock.now + .seconds(20)
      while try files() != ["north.sqlite"] {
        try #require(ContinuousClock.now < limit)
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try await client.get("/metrics").text.contains("shop_tenants_open 0.0"))
      #expect(try await client.get("/tenants/north/products/TEAPOT").status == 200)
    }
  }

  @Test func `The end of the server closes all files`() async throws {
    try await shop.run { client in
      for name in ["north", "south"] { try await client.makeTenant(name) }
    }
    #expect(try files() == ["north.sqlite", "south.sqlite"])
  }

  @Test func `A file that is no database is told, and others go on`() async throws {
    try Data("no database at all".utf8)
      .write(to: shop.folder.appendingPathComponent("broken.sqlite"))
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.get("/tenants/broken/orders")
      #expect(reply.status == 500)
      #expect(reply.message?.contains(shop.folder.path) == false)
      #expect(try await client.order("north").status == 201)
    }
  }

  /// The files of the folder: the tenants' files, and the ones that SQLite adds while they are
  /// open.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: shop.folder.path).sorted()
  }
}
