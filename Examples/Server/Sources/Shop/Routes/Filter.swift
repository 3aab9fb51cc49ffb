import Foundation
import Hummingbird
import Strata

/// The query parameters of a list: only named parameters become conditions, and each text is parsed
/// to its type.
struct Filter<Element: Object> {
  typealias Condition = (String) throws -> (Query<Element>) -> Query<Bool>

  private let conditions: [String: Condition]

  init(_ conditions: [String: Condition]) { self.conditions = conditions }

  /// The objects that match all parameters; `limit` and `after` select the page.
  func results(_ realm: Realm, _ parameters: Parameters) throws -> Results<Element> {
    var results = realm.objects(Element.self)
    for (name, value) in parameters where name != "limit" && name != "after" {
      guard let condition = conditions[String(name)] else {
        let names = (conditions.keys + ["after", "limit"]).sorted().joined(separator: ", ")
        throw ShopError.invalid("There is no parameter '\(name.prefix(40))'. There are: \(names).")
      }
      results = results.where(try condition(String(value)))
    }
    return results
  }
}

enum Filters {
  static var products: Filter<Product> {
    Filter([
      "name_contains": { text in
        { product in product.name.contains(text, options: .caseInsensitive) }
      },
      "stock_below": { text in
        let limit = try number(text, "stock_below")
        return { $0.stock < limit }
      },
      "price_at_most": { text in
        let limit = try number(text, "price_at_most")
        return { $0.price <= limit }
      },
    ])
  }

  static var orders: Filter<Order> {
    var conditions: [String: Filter<Order>.Condition] = [
      "customer": { email in
        { order in order.customer.email == email }
      },
      "placed_since": { text in
        guard let date = try? Date(text, strategy: .iso8601) else {
          throw ShopError.invalid("'placed_since' is a time such as '2026-11-22T20:00:00Z'.")
        }
        return { $0.placedAt >= date }
      },
    ]
    #if !SCHEMA_1
      conditions["total_at_least"] = { text in
        let limit = try number(text, "total_at_least")
        return { $0.total >= limit }
      }
    #endif
    return Filter(conditions)
  }

  /// The size of a page: 50, or the client's limit, up to 500.
  static func limit(_ parameters: Parameters) throws -> Int {
    guard let text = parameters.get("limit") else { return 50 }
    let limit = try number(text, "limit")
    try Checks.number(limit, "limit", 1...500)
    return limit
  }

  static func number(_ text: String, _ name: String) throws(ShopError) -> Int {
    guard let number = Int(text) else { throw .invalid("'\(name)' is a whole number.") }
    return number
  }
}
