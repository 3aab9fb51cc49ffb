public import Foundation
public import Strata

extension FrozenSchema {
  /// Creates a database of this version, without its classes, for tests with unusual data.
  ///
  /// ```swift
  /// let old = try fixtures.schema(1)
  /// try old.makeDatabase(at: url, rows: [
  ///   "Person": [
  ///     ["firstName": "Ada", "lastName": "Lovelace", "dogs": [["name": "Rex"]]],
  ///     ["firstName": "", "lastName": ""],
  ///   ]
  /// ])
  /// ```
  /// Rows are dictionaries by the names of columns, or arrays in the order of the properties. A row
  /// in place of a link creates an object. Missing values are nil, or 0, "", 1970.
  /// - Throws: `Realm.Error` if the file exists already, or if a row doesn't fit.
  public func makeDatabase(at url: URL, rows: [String: [Any]]) throws {
    try makeDatabase(at: url) { migration in
      for (className, rows) in rows.sorted(by: { $0.key < $1.key }) {
        for row in rows { migration.create(className, value: row) }
      }
    }
  }

  /// Creates a database of this version with a closure that creates the objects, for objects with
  /// several links to them.
  ///
  /// ```swift
  /// try old.makeDatabase(at: url) { migration in
  ///   let home = migration.create("Home", value: ["city": "London"])
  ///   migration.create("Person", value: ["name": "Ada", "home": home])
  ///   migration.create("Person", value: ["name": "Alan", "home": home])
  /// }
  /// ```
  public func makeDatabase(at url: URL, _ create: (Migration) throws -> Void) throws {
    try FrozenFile.create(at: url, self, create)
  }
}
