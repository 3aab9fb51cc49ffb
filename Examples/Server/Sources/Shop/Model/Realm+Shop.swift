import Foundation
import Hummingbird
import Strata

extension Realm {
  func product(_ sku: String) throws -> Product {
    guard let product = object(ofType: Product.self, forPrimaryKey: sku) else {
      throw ShopError(.notFound, "no_product", "There is no product '\(sku.prefix(40))'.")
    }
    return product
  }

  func customer(_ email: String) throws -> Customer {
    guard let customer = object(ofType: Customer.self, forPrimaryKey: email) else {
      throw ShopError(.notFound, "no_customer", "There is no customer '\(email.prefix(200))'.")
    }
    return customer
  }

  /// Places an order, in a transaction: all of its lines, or nothing.
  func place(_ value: NewOrder) throws -> Order {
    let customer = try customer(value.customer)
    let order = create(
      Order.self,
      value: [
        "number": (objects(Order.self).max(of: \.number) ?? 0) + 1, "customer": customer,
      ] as [String: Any])
    for line in value.lines {
      let product = try product(line.sku)
      try product.changeStock(by: -line.quantity)
      order.lines.append(
        OrderLine(
          value: ["product": product, "quantity": line.quantity, "price": product.price]
            as [String: Any]))
    }
    #if !SCHEMA_1
      order.total = order.lines.reduce(0) { $0 + $1.quantity * $1.price }
    #endif
    return order
  }
}

extension Product {
  func changeStock(by change: Int) throws {
    guard stock + change >= 0 else {
      throw ShopError(.conflict, "out_of_stock", "Of '\(sku)' there are \(stock) left.")
    }
    stock += change
  }
}
