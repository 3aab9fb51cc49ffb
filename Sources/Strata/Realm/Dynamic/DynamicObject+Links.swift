import IssueReporting
import StrataStorage

extension DynamicObject {
  /// The objects that link to this one, by the properties through which they do.
  ///
  /// ```swift
  /// for link in rex.incomingLinks where !link.objects.isEmpty {
  ///   print("\(link.className).\(link.propertyName): \(link.objects.count)")
  /// }
  /// ```
  /// Each property of the realm's classes that can lead to the class of the object is there, in the
  /// order of the classes and of their properties; objects in an `AnyRealmValue` are not followed.
  /// The objects are live; one that links several times, from a list, occurs as often. In a
  /// migration, and for an object in no realm, it is reported through `IssueReporting`, and there
  /// are none.
  public var incomingLinks:
    [(className: String, propertyName: String, objects: Results<DynamicObject>)]
  {
    guard let object, let session = object.managedContext as? Session else {
      reportIssue(
        "The objects that link to an object are known only of one that is in a realm: open the file, "
          + "and ask there.")
      return []
    }
    session.reportPlace()
    let target = type(of: object)
    return session.store.tables.flatMap { table in
      table.info.properties.indices.compactMap { slot in
        let property = table.info.properties[slot]
        guard !property.isComputed, table.info.targets[slot] == target,
          let query = ObjectQuery(table, linkingThrough: property.name, to: object._rowID)
        else { return nil }
        return (
          table.info.className, property.name,
          Results(query, session, generation: object._generation)
        )
      }
    }
  }

  /// The number of the row in its table.
  package var identity: Int64 { rowID }
}
