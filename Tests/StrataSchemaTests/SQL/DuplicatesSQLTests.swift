import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The statements that resolve duplicates")
struct DuplicatesSQLTests {
  private let person = model(
    "Person", property("id"), property("when", .date), property("size", .decimal128),
    link("friend", to: "Person"), property("any", .any))

  private func sql(_ survivor: SurvivorRule<Property>) -> DuplicatesSQL {
    DuplicatesSQL(
      person, property("id"), keeping: survivor, decimals: "decimals", number: 3)
  }

  @Test func `Values are found in one pass, and rows in another`() {
    expectNoDifference(
      sql(.first).findKeys + sql(.first).findRows,
      [
        "CREATE TABLE temp.strata_duplicate_keys_3 (number INTEGER PRIMARY KEY, value INTEGER)",
        """
        INSERT INTO temp.strata_duplicate_keys_3 (value)
        SELECT "id" FROM "Person" GROUP BY "id" HAVING count(*) > 1 ORDER BY min("_id")
        """,
        "CREATE INDEX temp.strata_duplicate_keys_3_value ON strata_duplicate_keys_3 (value)",
        """
        CREATE TABLE temp.strata_duplicates_3 \
        (gone INTEGER PRIMARY KEY, survivor INTEGER NOT NULL, number INTEGER)
        """,
        """
        INSERT INTO temp.strata_duplicates_3 (gone, survivor, number)
        SELECT gone, survivor, number FROM (
          SELECT t."_id" AS gone, k.number AS number,
            first_value(t."_id") OVER (PARTITION BY k.number ORDER BY t."_id") AS survivor
          FROM "Person" AS t CROSS JOIN temp.strata_duplicate_keys_3 AS k ON k.value IS t."id"
        ) WHERE gone <> survivor
        """,
        "CREATE INDEX temp.strata_duplicates_3_number ON strata_duplicates_3 (number, gone)",
      ])
  }

  @Test(
    arguments: [
      (SurvivorRule<Property>.last, #"ORDER BY t."_id" DESC)"#),
      (.greatest(property("when", .date)), #"ORDER BY t."when" DESC, t."_id")"#),
      (.least(property("size", .decimal128)), #"ORDER BY t."size" COLLATE decimals, t."_id")"#),
    ])
  func `The row that survives comes first`(_ survivor: SurvivorRule<Property>, _ order: String) {
    expectTrue(sql(survivor).findRows[1].contains(order))
  }

  @Test func `Links are moved, except those of rows that are removed`() {
    let own = Reference(origin: person, property: link("friend", to: "Person"))
    let club = model(
      "Club", property("set", .object, to: "Person", .set), property("any", .any))
    let rows = "temp.strata_duplicates_3"
    expectNoDifference(
      [own].map(sql(.first).move)
        + club.properties.map { sql(.first).move(Reference(origin: club, property: $0)) },
      [
        """
        UPDATE "Person"
        SET "friend" = (SELECT survivor FROM \(rows) WHERE gone = "Person"."friend")
        WHERE "friend" IN (SELECT +gone FROM \(rows)) AND "_id" NOT IN (SELECT gone FROM \(rows))
        """,
        """
        UPDATE OR IGNORE "Club_set"
        SET "value" = (SELECT survivor FROM \(rows) WHERE gone = "Club_set"."value")
        WHERE "value" IN (SELECT +gone FROM \(rows))
        """,
        """
        UPDATE "Club"
        SET "any" = (SELECT survivor FROM \(rows) WHERE gone = "Club"."any")
        WHERE "any" IN (SELECT +gone FROM \(rows)) \
        AND "any_type" < 'a' AND "any_type" = '<Person>'
        """,
      ])
  }
}
