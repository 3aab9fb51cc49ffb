/// A table to be rebuilt, because SQLite cannot change it in place.
///
/// ``RebuildTableSQL`` has the statements. After them the executor makes the plain indexes of
/// `target` (``IndexSQL/createAll(of:)``); an index that is added or removed together with the
/// rebuild has no operation of its own. The primary key's unique index is never made again: a
/// `createPrimaryKey` operation does that, after a look for duplicates.
package struct TableRebuild: Sendable, Hashable {
  /// The source of the values of a column.
  package enum Source: Sendable, Hashable {
    /// From a column of the old table.
    case column(String)
    /// From a column of the old table, and from a value where that is NULL.
    case columnOrDefault(String, StoredValue)
    /// The same value in every row.
    case value(StoredValue)
    /// Computed from columns of the old table, which the SQL names with the table.
    case expression(String)
  }

  /// A column of the new table.
  package struct Column: Sendable, Hashable {
    /// The property that the column is for.
    package var property: Property
    /// The source of the values.
    package var source: Source

    /// Describes a column.
    package init(property: Property, source: Source) {
      self.property = property
      self.source = source
    }
  }

  /// The name of the table, before and after.
  package var table: String
  /// The table as wanted. Its primary key is nil, and only columns to be indexed have `wantsIndex`.
  package var target: ObjectSchema
  /// The columns in their new order, without the identity.
  package var columns: [Column]
  /// The name that the identity has in the old table.
  package var sourceIdentityColumn: String

  /// Describes a rebuild; without another name the identity is called as it will be.
  package init(
    table: String,
    target: ObjectSchema,
    columns: [Column],
    sourceIdentityColumn: String? = nil
  ) {
    self.table = table
    self.target = target
    self.columns = columns
    self.sourceIdentityColumn = sourceIdentityColumn ?? target.identityColumn
  }
}
