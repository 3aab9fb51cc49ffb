import Foundation
import Strata

/// A product of the shop. The key is unique in the file of the tenant.
final class Product: Object {
  @Persisted(primaryKey: true) var sku = ""
  @Persisted var name = ""
  /// The price in cents.
  @Persisted(indexed: true) var price = 0
  /// The number of items left. It is never below zero: each transaction that changes it checks
  /// this.
  @Persisted(indexed: true) var stock = 0
}

final class Customer: Object {
  @Persisted(primaryKey: true) var email = ""
  @Persisted var name = ""
}

final class Order: Object {
  /// Ascending in the file, so that clients can page by it. After a restore, a number may be used
  /// again: other systems should use `id`.
  @Persisted(primaryKey: true) var number = 0
  @Persisted var id = UUID()
  @Persisted var customer: Customer?
  @Persisted(indexed: true) var placedAt = Date()
  @Persisted var lines: List<OrderLine>
  #if !SCHEMA_1
    /// The total of the lines in cents. New in version 2.
    @Persisted(indexed: true) var total = 0
  #endif
}

/// A part of an order, with the price at that time.
final class OrderLine: EmbeddedObject {
  @Persisted var product: Product?
  @Persisted var quantity = 0
  @Persisted var price = 0
}

/// The stored response to a request with an idempotency key: retries of the client get this
/// response, and the work is done once.
final class StoredAnswer: Object {
  @Persisted(primaryKey: true) var key = ""
  /// The request. The same key can't be used for another one.
  @Persisted var request = ""
  @Persisted var status = 0
  @Persisted var body = ""
  @Persisted(indexed: true) var answeredAt = Date()
}
