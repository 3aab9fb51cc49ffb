import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

extension QuerySchema {
  private static let known = Mutex<[ObjectIdentifier: QuerySchema]>([:])

  /// A class and all that it leads to, for objects that are in no realm.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a class whose properties can't be read.
  static func ofUnmanaged(_ type: ObjectBase.Type) throws(RealmError) -> QuerySchema {
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    var classes: [ObjectIdentifier: ObjectSchema] = [:]
    var waiting = [type]
    while let next = waiting.popLast() {
      guard classes[ObjectIdentifier(next)] == nil else { continue }
      let info = try ClassInfo.of(next)
      classes[ObjectIdentifier(next)] = info.objectSchema
      waiting += info.targets.compactMap { $0 }
    }
    let schema = QuerySchema(Schema(Array(classes.values)))
    known.withLock { $0[ObjectIdentifier(type)] = schema }
    return schema
  }
}
