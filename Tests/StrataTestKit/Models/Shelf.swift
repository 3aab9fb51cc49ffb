import Foundation
package import Strata

/// Classes with values that may be lists and dictionaries.
package enum Shelf {
  package final class Setting: Object {
    @Persisted(primaryKey: true) package var id = 0
    @Persisted package var name = ""
    @Persisted package var value: AnyRealmValue
    @Persisted package var values: List<AnyRealmValue>
    @Persisted package var named: Map<String, AnyRealmValue>
    @Persisted package var set: MutableSet<AnyRealmValue>
    @Persisted package var next: Setting?
  }

  package final class Book: Object {
    @Persisted package var title = ""
  }

  package static let types: [ObjectBase.Type] = [Setting.self, Book.self]

  /// A dictionary with a value of each kind.
  package static var everything: AnyRealmValue {
    .fromDictionary([
      "list": .fromArray([1, 1.5, "text", true, .none, .fromArray([])]),
      "inner": .fromDictionary(["a": .fromDictionary([:]), "$b": 2, "c.d": .float(0.1)]),
      "values": .fromArray([
        .date(Date(timeIntervalSince1970: 1.5)), .data(Data([0, 1, 255])),
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        .objectId(ObjectId("0123456789abcdef01234567")), .decimal128("1.50"),
        .double(.infinity), .int(.max), .int(.min), .bool(false),
      ]),
    ])
  }
}
