import Foundation
import Strata

// Values for the network, which are checked before a realm uses them. Objects stay in their
// isolation.

struct ProductValue: Codable {
  var sku: String
  var name: String
  var price: Int
  var stock: Int

  func check() throws(ShopError) {
    try Checks.sku(sku)
    try Checks.text(name, "name", 1...200)
    try Checks.number(price, "price", 0...10_000_000)
    try Checks.number(stock, "stock", 0...1_000_000)
  }
}

extension ProductValue {
  init(_ product: Product) {
    self.init(sku: product.sku, name: product.name, price: product.price, stock: product.stock)
  }
}

struct StockChange: Codable {
  var change: Int

  func check() throws(ShopError) {
    try Checks.number(change, "change", -1_000_000...1_000_000)
  }
}

struct CustomerValue: Codable {
  var email: String
  var name: String

  func check() throws(ShopError) {
    try Checks.email(email)
    try Checks.text(name, "name", 1...200)
  }
}

extension CustomerValue {
  init(_ customer: Customer) { self.init(email: customer.email, name: customer.name) }
}

/// An order as a client sends it.
struct NewOrder: Codable {
  struct Line: Codable {
    var sku: String
    var quantity: Int
  }

  var customer: String
  var lines: [Line]

  func check() throws(ShopError) {
    try Checks.email(customer)
    try Checks.number(lines.count, "number of lines", 1...50)
    for line in lines {
      try Checks.sku(line.sku)
      try Checks.number(line.quantity, "quantity", 1...1_000)
    }
    guard Set(lines.map(\.sku)).count == lines.count else {
      throw .invalid("Each product may be in one line of an order only.")
    }
  }
}

struct OrderValue: Encodable {
  struct Line: Encodable {
    var sku: String?
    var quantity: Int
    var price: Int
  }

  var number: Int
  var id: UUID
  var customer: String?
  var placedAt: Date
  var lines: [Line]
  var total: Int?

  init(_ order: Order) {
    number = order.number
    id = order.id
    customer = order.customer?.email
    placedAt = order.placedAt
    lines = order.lines.map {
      Line(sku: $0.product?.sku, quantity: $0.quantity, price: $0.price)
    }
    #if !SCHEMA_1
      total = order.total
    #endif
  }
}

/// A page of a list, with the key of the next page.
struct Page<Element: Encodable>: Encodable {
  var items: [Element]
  var next: String?
}

/// The limits of what clients may send.
enum Checks {
  static func sku(_ text: String) throws(ShopError) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isAllowed, 1...32 ~= text.utf8.count else {
      throw .invalid("A 'sku' has 1 to 32 capital letters, digits and hyphens.")
    }
  }

  static func email(_ text: String) throws(ShopError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, isPlain, text.utf8.count <= 200,
      text == text.lowercased()
    else { throw .invalid("An address of a customer is written as in 'ada@example.org'.") }
  }

  static func text(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(ShopError) {
    guard range ~= text.utf8.count else {
      throw .invalid(
        "The '\(name)' has \(range.lowerBound) to \(range.upperBound) bytes of UTF-8.")
    }
  }

  static func number(_ number: Int, _ name: String, _ range: ClosedRange<Int>) throws(ShopError) {
    guard range ~= number else {
      throw .invalid("The '\(name)' is from \(range.lowerBound) to \(range.upperBound).")
    }
  }
}
