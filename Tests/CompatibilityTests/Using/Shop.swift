import Foundation
import Strata
import StrataTestKit

/// Models of a shop, with a property of each kind.
enum Shop {
  enum Size: Int, PersistableEnum { case small = 1, medium = 2, large = 3 }

  struct Price: CustomPersistable {
    var cents: Int
    init(_ cents: Int) { self.cents = cents }
    init(persistedValue: Int) { cents = persistedValue }
    var persistableValue: Int { cents }
  }

  class Label: EmbeddedObject {
    @Persisted var text = "new"
    @Persisted var language = "en"
    @Persisted var shade: Shade?
  }

  class Shade: EmbeddedObject {
    @Persisted var name = "grey"
    @Persisted var depth = 1
  }

  class Article: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = "unnamed"
    @Persisted var note: String?
    @Persisted var stock = 5
    @Persisted var weight = 1.5
    @Persisted var size = Size.medium
    @Persisted var price: Price
    @Persisted var label: Label?
    @Persisted var labels: List<Label>
    @Persisted var part: Article?
    @Persisted var parts: List<Article>
    @Persisted var tags: MutableSet<String>
    @Persisted var counts: Map<String, Int>
    @Persisted var extra: AnyRealmValue
    @Persisted(originProperty: "article") var sales: LinkingObjects<Sale>

    var title: String { name.uppercased() }
    var noteOrNone: String { note ?? "" }
  }

  class Sale: Object {
    @Persisted var number = 0
    @Persisted var article: Article?
    @Persisted var day: Date?
  }

  /// A class with the property names of a sale, and one more.
  class Receipt: Object {
    @Persisted var number = 7
    @Persisted var article: Article?
    @Persisted var day: Date?
    @Persisted var isPaid = true
  }

  /// A property of each collection type.
  class Shelf: Object {
    @Persisted var name = ""
    @Persisted var numbers: List<Int>
    @Persisted var texts: List<String?>
    @Persisted var sizes: List<Size>
    @Persisted var optionalSizes: List<Size?>
    @Persisted var prices: List<Price>
    @Persisted var anything: List<AnyRealmValue>
    @Persisted var decimals: List<Decimal128>
    @Persisted var days: List<Date>
    @Persisted var articles: List<Article>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted var sizeSet: MutableSet<Size>
    @Persisted var dataSet: MutableSet<Data>
    @Persisted var daySet: MutableSet<Date>
    @Persisted var idSet: MutableSet<ObjectId>
    @Persisted var uuidSet: MutableSet<UUID>
    @Persisted var boolSet: MutableSet<Bool>
    @Persisted var doubleSet: MutableSet<Double?>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var articleSet: MutableSet<Article>
    @Persisted var numberMap: Map<String, Int>
    @Persisted var optionalMap: Map<String, Int?>
    @Persisted var priceMap: Map<String, Price>
    @Persisted var sizeMap: Map<String, Size>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var articleMap: Map<String, Article?>
  }

  static let types: [ObjectBase.Type] = [
    Label.self, Shade.self, Article.self, Sale.self, Receipt.self, Shelf.self,
  ]

  /// Runs a closure inside of `write` on a new realm.
  static func write(in file: TestFile? = nil, _ body: (Realm) throws -> Void) throws {
    let file = try file ?? TestFile()
    try file.open(types) { realm in try realm.write { try body(realm) } }
  }

  /// Runs a closure on a shelf in no realm, and on one in a realm, inside of `write`.
  static func inMemoryAndInFile(_ body: (Shelf) throws -> Void) throws {
    try body(Shelf())
    try write { realm in
      let shelf = Shelf()
      realm.add(shelf)
      try body(shelf)
    }
  }

  /// The error that `write` throws.
  static func failure(_ body: (Realm) throws -> Void) throws -> Realm.Error? {
    let file = try TestFile()
    return try file.open(types) { realm in
      var thrown: Realm.Error?
      do {
        try realm.write { try body(realm) }
      } catch let error as Realm.Error {
        thrown = error
      }
      // Nothing of it remains.
      return realm.isEmpty ? thrown : nil
    }
  }
}
