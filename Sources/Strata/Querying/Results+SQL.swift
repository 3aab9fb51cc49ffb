extension Results {
  /// The statement that finds the objects, with its constants written out.
  ///
  /// To find out what a query does, and for `withDatabase`. Its rows have the identity and
  /// the columns of the class. Functions whose names begin with `strata_` are on the connections of
  /// this library only. `explain()` of `StrataTestSupport` says which indexes it uses.
  ///
  /// ```swift
  /// print(people.where { $0.age > 17 }.sql ?? "")
  /// // SELECT t."_id", t."name", t."age" FROM "Person" AS t
  /// // WHERE t."age" > 17 ORDER BY t."_id" ASC
  /// ```
  ///
  /// Nil for values that are no objects, and for objects that are in no realm: these are found in
  /// memory.
  public var sql: String? {
    guard case .objects(let objects) = source else { return nil }
    let query = objects.query.fastest(for: .objects, in: objects.session)
    return query.sql.literal(query.select(query.table.texts.qualifiedColumns))
  }
}
