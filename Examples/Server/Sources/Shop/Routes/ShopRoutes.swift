import Foundation
import Hummingbird
import Strata

/// The products, customers and orders of tenants.
struct ShopRoutes {
  let tenants: Tenants

  func add(to router: Router<ShopContext>) {
    let tenant = router.group("tenants/:tenant")
    addReading(to: tenant)
    if !tenants.place.isReadOnly { addWriting(to: tenant) }
  }

  private func addReading(to tenant: RouterGroup<ShopContext>) {
    tenant.get { [tenants] _, context in
      try await tenants.read(context) { realm in
        try Answer(
          .ok,
          [
            "schemaVersion": Int(ShopFile.schemaVersion),
            "products": realm.objects(Product.self).count,
            "orders": realm.objects(Order.self).count,
          ])
      }
    }
    tenant.get("products") { [tenants] request, context in
      let parameters = request.uri.queryParameters
      let limit = try Filters.limit(parameters)
      return try await tenants.read(context) { realm in
        var found = try Filters.products.results(realm, parameters)
        if let last = parameters.get("after") { found = found.where { $0.sku > last } }
        let products = found.sorted(by: \.sku).limit(limit).map(ProductValue.init)
        return try Answer(
          .ok, Page(items: products, next: products.count < limit ? nil : products.last?.sku))
      }
    }
    tenant.get("products/:sku") { [tenants] _, context in
      let sku = try context.parameter("sku")
      return try await tenants.read(context) { try Answer(.ok, ProductValue($0.product(sku))) }
    }
    tenant.get("customers/:email") { [tenants] _, context in
      let email = try context.parameter("email")
      return try await tenants.read(context) { try Answer(.ok, CustomerValue($0.customer(email))) }
    }
    tenant.get("orders") { [tenants] request, context in
      let parameters = request.uri.queryParameters
      let limit = try Filters.limit(parameters)
      let last = try parameters.get("after").map { try Filters.number($0, "after") } ?? 0
      return try await tenants.read(context) { realm in
        let orders = try Filters.orders.results(realm, parameters)
          .where { $0.number > last }.sorted(by: \.number).limit(limit).map(OrderValue.init)
        let next = orders.count < limit ? nil : orders.last.map { "\($0.number)" }
        return try Answer(.ok, Page(items: orders, next: next))
      }
    }
    tenant.get("orders/:number") { [tenants] _, context in
      let number = try Filters.number(context.parameter("number"), "number")
      return try await tenants.read(context) { realm in
        guard let order = realm.object(ofType: Order.self, forPrimaryKey: number) else {
          throw ShopError(.notFound, "no_order", "There is no order \(number).")
        }
        return try Answer(.ok, OrderValue(order))
      }
    }
  }

  private func addWriting(to tenant: RouterGroup<ShopContext>) {
    tenant.put { [tenants] _, context in
      let name = try context.tenant()
      let isNew = !tenants.place.has(name)
      return try await tenants.use(name, creating: true) { _ in
        try Answer(isNew ? .created : .ok, ["tenant": name.description])
      }
    }
    tenant.post("products") { [tenants] request, context in
      let value = try await request.value(ProductValue.self, context)
      try value.check()
      return try await tenants.write(context) { realm in
        guard realm.object(ofType: Product.self, forPrimaryKey: value.sku) == nil else {
          throw ShopError(.conflict, "sku_taken", "There is a product '\(value.sku)' already.")
        }
        realm.create(
          Product.self,
          value: [
            "sku": value.sku, "name": value.name, "price": value.price, "stock": value.stock,
          ] as [String: Any])
        return try Answer(.created, value)
      }
    }
    tenant.post("products/:sku/stock") { [tenants] request, context in
      let sku = try context.parameter("sku")
      let value = try await request.value(StockChange.self, context)
      try value.check()
      return try await tenants.write(context) { realm in
        let product = try realm.product(sku)
        try product.changeStock(by: value.change)
        return try Answer(.ok, ProductValue(product))
      }
    }
    tenant.post("customers") { [tenants] request, context in
      let value = try await request.value(CustomerValue.self, context)
      try value.check()
      return try await tenants.write(context) { realm in
        guard realm.object(ofType: Customer.self, forPrimaryKey: value.email) == nil else {
          throw ShopError(
            .conflict, "email_taken", "There is a customer '\(value.email)' already.")
        }
        realm.create(Customer.self, value: ["email": value.email, "name": value.name])
        return try Answer(.created, value)
      }
    }
    tenant.post("orders") { [tenants] request, context in
      let value = try await request.value(NewOrder.self, context)
      try value.check()
      return try await tenants.writeOnce(request, context, asking: value) { realm in
        try Answer(.created, OrderValue(realm.place(value)))
      }
    }
  }
}
