import IssueReporting
import StrataStorage

extension DynamicObject {
  /// The objects that link to this one, grouped by the linking properties.
  ///
  /// ```swift
  /// for link in rex.incomingLinks where !link.objects.isEmpty {
  ///   print("\(link.className).\(link.propertyName): \(link.objects.count)")
  /// }
  /// ```
  /// The array contains each property of the realm's classes that can link to the class of the
  /// object, in the order of the classes and of their properties. Links in an `AnyRealmValue` are
  /// not included. The objects are live. An object that links several times, from a list, occurs
  /// several times. In a migration, and for an unmanaged object, the access is reported through
  /// `IssueReporting`, and the array is empty.
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

  /// The identity of the object's row in its table.
  package var identity: Int64 { rowID }
}
