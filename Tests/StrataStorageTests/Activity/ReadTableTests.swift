import TestKit
import Testing

@testable import StrataStorage

@Suite struct ReadTableTests {
  @Test(arguments: [
    (#"SELECT t."_id" FROM "Person" AS t WHERE t."age" > ?"#, "Person"),
    (#"SELECT count(*) FROM "Person_dogs""#, "Person_dogs"),
    (#"SELECT (SELECT count(*) FROM "Dog"), 1"#, "Dog"),
    (#"SELECT x FROM (SELECT * FROM "Say ""hi""" AS t)"#, #"Say "hi""#),
    ("SELECT 1", nil),
    ("SELECT 1 FROM ", nil),
    (#"SELECT 1 FROM "never ends"#, nil),
    ("SELECT 1 FROM sqlite_schema", nil),
  ])
  func `The table that is read first has the first name`(sql: String, name: String?) {
    expectEqual(ReadTable.name(in: sql), name)
  }
}
