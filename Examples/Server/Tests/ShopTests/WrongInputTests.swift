import Testing

@Suite struct WrongInputTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test(arguments: [
    ("", 400), ("{", 400), ("[]", 400), ("null", 400),
    (#"{"sku": "A", "name": "A", "price": "1", "stock": 1}"#, 400),
    (#"{"sku": "A", "name": "A", "price": 1}"#, 400),
    (#"{"sku": "a", "name": "A", "price": 1, "stock": 1}"#, 400),
    (#"{"sku": "../A", "name": "A", "price": 1, "stock": 1}"#, 400),
    (#"{"sku": "A", "name": "", "price": 1, "stock": 1}"#, 400),
    (#"{"sku": "A", "name": "A", "price": -1, "stock": 1}"#, 400),
    (#"{"sku": "A", "name": "A", "price": 1, "stock": 99999999999999999999}"#, 400),
    (#"{"sku": "A", "name": "'; DROP TABLE Product; --", "price": 1, "stock": 1}"#, 201),
    (#"{"sku": "TEAPOT", "name": "A", "price": 1, "stock": 1}"#, 409),
  ])
  func `A product is checked`(_ body: String, _ status: Int) async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.send(.post, "/tenants/north/products", body)
      #expect(reply.status == status, "\(reply.text)")
      #expect((reply.code == nil) == (status == 201))
      #expect(try await client.get("/tenants/north").status == 200)
    }
  }

  @Test(arguments: [
    #"{"customer": "ada@example.org", "lines": []}"#,
    #"{"customer": "ada", "lines": [{"sku": "TEAPOT", "quantity": 1}]}"#,
    #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT", "quantity": 0}]}"#,
    #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT", "quantity": -1}]}"#,
    #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT", "quantity": 1}, {"sku": "TEAPOT", "quantity": 1}]}"#,
  ])
  func `An order is checked`(_ body: String) async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.send(.post, "/tenants/north/orders", body, key: "12345678")
      #expect(reply.status == 400, "\(reply.text)")
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 10)
    }
  }

  @Test(arguments: [
    "limit=0", "limit=501", "limit=x", "after=x", "total_at_least=1%20OR%201=1", "sort=name",
    "placed_since=yesterday",
  ])
  func `A parameter is checked`(_ parameters: String) async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.get("/tenants/north/orders?\(parameters)")
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func `An unknown parameter is told with those that there are`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      #expect(
        try await client.get("/tenants/north/orders?sort=name").message
          == "There is no parameter 'sort'. There are: after, customer, limit, placed_since, "
          + "total_at_least.")
    }
  }

  @Test func `What isn't there is 404`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      for path in [
        "/nothing", "/tenants/north/nothing", "/tenants/north/orders/1",
        "/tenants/north/products/CUP", "/tenants/north/customers/eve@example.org",
      ] {
        let reply = try await client.get(path)
        #expect(reply.status == 404, "\(path)")
        #expect(reply.code != nil)
      }
    }
  }

  @Test(arguments: [
    ("no JSON", "The body isn't a JSON object, with whole numbers."),
    ("[]", "The body isn't a JSON object, with whole numbers."),
    (#"{"customer": "ada@example.org"}"#, "'lines' is missing."),
    (
      #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT", "quantity": "1"}]}"#,
      "'lines.0.quantity' has a value of a wrong type."
    ),
    (
      #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT"}]}"#,
      "'lines.0.quantity' is missing."
    ),
  ])
  func `What is wrong in a body is told by its place`(
    _ body: String, _ message: String
  ) async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.send(.post, "/tenants/north/orders", body, key: "12345678")
      #expect(reply.status == 400)
      #expect(reply.message == message)
    }
  }

  @Test func `A path may be encoded`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      #expect(
        try await client.get("/tenants/north/customers/ada%40example.org").string("name") == "Ada")
    }
  }

  @Test func `A body that is too large is 413`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.send(
        .post, "/tenants/north/products", String(repeating: " ", count: 100_000))
      #expect(reply.status == 413)
    }
  }
}
