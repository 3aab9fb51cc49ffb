import GRDB
import Strata

extension Case {
  static var addPrimaryKey: Case {
    Case(
      name: "primary-key",
      title: "property with unique values becomes the primary key",
      base: NumberedPeople.base,
      targets: [.ratio(to: .sql, atMost: 1.3)] + Target.linear,
      contestants: [
        Contestant(
          .strata,
          whole: {
            try StrataFile.migrate($0, to: [KeyedPeople.Person.self])
          }),
        Contestant(
          .sql,
          whole: {
            try PlainDatabase.migrate($0, sql: "CREATE UNIQUE INDEX \"Person.id\" ON Person (id)")
          }),
      ])
  }
}
