import Testing

@Suite struct OrdersTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func `An order takes from the stock, and can be read`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let placed = try await client.order("north", 3)
      #expect(placed.status == 201)
      #expect(placed.int("number") == 1)
      #expect(placed.int("total") == 3_600)
      let order = try await client.get("/tenants/north/orders/1")
      #expect(order.text == placed.text)
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 7)
    }
  }

  @Test func `Of two clients one gets the last piece`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north", stock: 1)
      async let first = client.order("north")
      async let second = client.order("north")
      let replies = try await [first, second].sorted { $0.status < $1.status }
      #expect(replies.map(\.status) == [201, 409])
      #expect(replies[1].code == "out_of_stock")
      #expect(replies[1].message == "Of 'TEAPOT' there are 0 left.")
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 0)
      #expect(
        try await client.get("/metrics").text.contains(
          #"shop_conflicts_total{code="out_of_stock"} 1.0"#))
      #expect(try await client.get("/metrics").text.contains("strata_rollbacks_total 1.0"))
    }
  }

  @Test func `Nothing of an order is there when one of its lines can't be had`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let reply = try await client.send(
        .post, "/tenants/north/orders",
        #"""
        {"customer": "ada@example.org",
         "lines": [{"sku": "TEAPOT", "quantity": 2}, {"sku": "CUP", "quantity": 1}]}
        """#, key: "a key of mine")
      #expect(reply.status == 404)
      #expect(reply.code == "no_product")
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 10)
      #expect(try await client.get("/tenants/north/orders").items.isEmpty)
    }
  }

  @Test func `A request with the same key is done once`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      let first = try await client.order("north", key: "key-of-ada")
      let second = try await client.order("north", key: "key-of-ada")
      #expect([first.status, second.status] == [201, 201])
      #expect(first.text == second.text)
      #expect(second.headers[.init("Idempotent-Replay")!] == "true")
      #expect(try await client.get("/tenants/north/orders").items.count == 1)
      let other = try await client.order("north", 2, key: "key-of-ada")
      #expect(other.status == 422)
      #expect(other.code == "key_used")
      let missing = try await client.send(
        .post, "/tenants/north/orders",
        #"{"customer": "ada@example.org", "lines": [{"sku": "TEAPOT", "quantity": 1}]}"#)
      #expect(missing.status == 400)
    }
  }

  @Test func `The same key at the same time is done once`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north", stock: 100)
      try await withThrowingTaskGroup(of: Reply.self) { group in
        for _ in 0..<10 { group.addTask { try await client.order("north", key: "key-of-ada") } }
        for try await reply in group { #expect(reply.int("number") == 1) }
      }
      #expect(try await client.get("/tenants/north/products/TEAPOT").int("stock") == 99)
    }
  }

  @Test func `A key may be used again when its order was refused`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north", stock: 0)
      #expect(try await client.order("north", key: "key-of-ada").status == 409)
      let more = try await client.send(
        .post, "/tenants/north/products/TEAPOT/stock", #"{"change": 5}"#)
      #expect(more.int("stock") == 5)
      #expect(try await client.order("north", key: "key-of-ada").status == 201)
    }
  }

  @Test func `A list comes in pages, by the key of the last element`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      for _ in 0..<5 { _ = try await client.order("north") }
      var numbers: [[Int?]] = []
      var path: String? = "/tenants/north/orders?limit=2"
      while let next = path {
        let page = try await client.get(next)
        numbers.append(page.items.map { $0["number"] as? Int })
        path = page.string("next").map { "/tenants/north/orders?limit=2&after=\($0)" }
      }
      #expect(numbers == [[1, 2], [3, 4], [5]])
    }
  }

  @Test func `Lists are asked for by parameters`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north", stock: 100)
      for quantity in 1...5 { _ = try await client.order("north", quantity) }
      let large = try await client.get("/tenants/north/orders?total_at_least=4800&limit=10")
      #expect(large.items.map { $0["total"] as? Int } == [4_800, 6_000])
      let nobody = try await client.get("/tenants/north/orders?customer=eve@example.org")
      #expect(nobody.items.isEmpty)
      let future = try await client.get("/tenants/north/orders?placed_since=2999-01-01T00:00:00Z")
      #expect(future.items.isEmpty)
      let pots = try await client.get("/tenants/north/products?name_contains=POT&stock_below=86")
      #expect(pots.items.map { $0["sku"] as? String } == ["TEAPOT"])
    }
  }
}
