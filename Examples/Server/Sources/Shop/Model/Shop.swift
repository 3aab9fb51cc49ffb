import Foundation
import Strata

/// Something that the shop sells. The key is unique in the file of the tenant.
final class Product: Object {
  @Persisted(primaryKey: true) var sku = ""
  @Persisted var name = ""
  /// In cents.
  @Persisted(indexed: true) var price = 0
  /// How many are left: never below zero, which each transaction that changes it checks.
  @Persisted(indexed: true) var stock = 0
}

final class Customer: Object {
  @Persisted(primaryKey: true) var email = ""
  @Persisted var name = ""
}

final class Order: Object {
  /// Ascending in the file, so that clients can page by it. A file that was restored may give a
  /// number again: other systems should go by `id`.
  @Persisted(primaryKey: true) var number = 0
  @Persisted var id = UUID()
  @Persisted var customer: Customer?
  @Persisted(indexed: true) var placedAt = Date()
  @Persisted var lines: List<OrderLine>
  #if !SCHEMA_1
    /// In cents: what the lines come to. New in version 2.
    @Persisted(indexed: true) var total = 0
  #endif
}

/// A part of an order, with the price of then.
final class OrderLine: EmbeddedObject {
  @Persisted var product: Product?
  @Persisted var quantity = 0
  @Persisted var price = 0
}

/// What was answered to a request that had a key of the client: it was done once, however often the
/// client sends it.
final class StoredAnswer: Object {
  @Persisted(primaryKey: true) var key = ""
  /// What was asked: the same key can't be used for something else.
  @Persisted var request = ""
  @Persisted var status = 0
  @Persisted var body = ""
  @Persisted(indexed: true) var answeredAt = Date()
}
