package import GRDB
package import StrataSchema

/// Links to objects that are gone.
package enum DanglingLinks {
  /// Makes them nil, so that they are not taken for links that the migration breaks.
  ///
  /// Elements that go take what is embedded in them along, so the triggers must be there.
  package static func clear(of schema: Schema, in db: Database) throws {
    try HelperItems.make(of: schema, in: db, hasMoreToDo: true)
    for sql in DanglingLinksSQL.statements(schema) { try db.execute(sql: sql) }
  }
}
