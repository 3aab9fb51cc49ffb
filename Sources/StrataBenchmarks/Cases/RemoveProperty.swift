import GRDB
import Strata

extension Case {
  static var removeProperty: Case {
    Case(
      name: "remove",
      title: "property removed",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.1)] + Target.linear,
      contestants: [
        Contestant(
          .strata,
          whole: {
            try StrataFile.migrate($0, to: [PeopleWithoutLastName.Person.self])
          }),
        Contestant(
          .sql,
          whole: {
            try PlainDatabase.migrate($0, sql: "ALTER TABLE Person DROP COLUMN lastName")
          }),
      ])
  }
}
