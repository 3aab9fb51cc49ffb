import Foundation
import GRDB
import Strata

extension Case {
  static var embedObjects: Case {
    Case(
      name: "embed",
      title: "class becomes an embedded one, with one parent for each object",
      base: Residents.base,
      targets: [.ratio(to: .sql, atMost: 2)] + Target.linear,
      contestants: [
        Contestant(
          .strata,
          whole: {
            try StrataFile.migrate(
              $0, to: [ResidentsWithin.Person.self, ResidentsWithin.Address.self])
          }),
        Contestant(.sql, whole: embedWithSQL),
      ])
  }
}

/// The rows stay as they are: the work is to find out whether each has exactly one parent.
private func embedWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    let orphan = try Int.fetchOne(
      db,
      sql: """
        SELECT _id FROM Address
        WHERE NOT EXISTS (SELECT 1 FROM Person WHERE address = Address._id) LIMIT 1
        """)
    let shared = try Int.fetchOne(
      db,
      sql: """
        SELECT address FROM Person WHERE address IS NOT NULL
        GROUP BY address HAVING count(*) > 1 LIMIT 1
        """)
    guard orphan == nil, shared == nil else { throw Unexpected("an address is not embeddable") }
  }
}
