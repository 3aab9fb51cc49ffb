import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Triggers")
struct TriggerSQLTests {
  private func triggers(_ classes: ObjectSchema...) -> [Trigger] {
    TriggerSQL.all(of: Schema(classes))
  }

  @Test func `A trigger clears the links to an object, and deletes what is inside of it`() {
    let triggers = triggers(
      model("Dog", property("_id", .string)),
      model(
        "a\"b", link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
        property("dogSet", .object, to: "Dog", .set),
        property("byName", .object, to: "Dog", .map, optional: true)))
    expectNoDifference(
      triggers.map(\.sql),
      [
        """
        CREATE TRIGGER "strata_delete_Dog" AFTER DELETE ON "Dog" BEGIN
          UPDATE "a""b" SET "dog" = NULL WHERE "dog" = OLD."_row_id";
          DELETE FROM "a""b_dogs" WHERE "value" = OLD."_row_id";
          DELETE FROM "a""b_dogSet" WHERE "value" = OLD."_row_id";
          UPDATE "a""b_byName" SET "value" = NULL WHERE "value" = OLD."_row_id";
        END
        """,
        """
        CREATE TRIGGER "strata_delete_a""b" AFTER DELETE ON "a""b" BEGIN
          DELETE FROM "a""b_dogs" WHERE "owner" = OLD."_id";
          DELETE FROM "a""b_dogSet" WHERE "owner" = OLD."_id";
          DELETE FROM "a""b_byName" WHERE "owner" = OLD."_id";
        END
        """,
      ])
  }

  @Test func `A trigger looks into each AnyRealmValue for objects that are not embedded`() {
    let triggers = triggers(
      model(
        "A", property("x", .any), property("xs", .any, .list), property("set", .any, .set),
        link("b", to: "B")),
      model("B", embedded: true, property("p")))
    expectNoDifference(
      triggers.map(\.sql),
      [
        """
        CREATE TRIGGER "strata_delete_A" AFTER DELETE ON "A" BEGIN
          UPDATE "A" SET "x" = NULL, "x_type" = NULL \
        WHERE "x" = +OLD."_id" AND "x_type" < 'a' AND "x_type" = '<A>';
          UPDATE "A_xs" SET "value" = NULL, "value_type" = NULL \
        WHERE "value" = +OLD."_id" AND "value_type" < 'a' AND "value_type" = '<A>';
          DELETE FROM "A_set" \
        WHERE "value" = +OLD."_id" AND "value_type" < 'a' AND "value_type" = '<A>';
          DELETE FROM "A_xs" WHERE "owner" = OLD."_id";
          DELETE FROM "A_set" WHERE "owner" = OLD."_id";
          DELETE FROM "B" WHERE "_id" = OLD."b";
        END
        """,
        """
        CREATE TRIGGER "strata_replace_A.b" AFTER UPDATE OF "b" ON "A" \
        WHEN OLD."b" IS NOT NULL AND OLD."b" IS NOT NEW."b" BEGIN
          DELETE FROM "B" WHERE "_id" = OLD."b";
        END
        """,
        """
        CREATE TRIGGER "strata_delete_B" AFTER DELETE ON "B" BEGIN
          UPDATE "A" SET "b" = NULL WHERE "b" = OLD."_id";
        END
        """,
      ])
  }

  @Test func `A trigger deletes the embedded objects of lists and maps`() {
    let triggers = triggers(
      model("A", property("bs", .object, to: "B", .list)),
      model("B", embedded: true, property("_id")))
    expectNoDifference(
      triggers.map(\.name),
      ["strata_delete_A", "strata_delete_A_bs", "strata_replace_A_bs.value", "strata_delete_B"])
    expectNoDifference(
      triggers[1].sql,
      """
      CREATE TRIGGER "strata_delete_A_bs" AFTER DELETE ON "A_bs" WHEN OLD."value" IS NOT NULL BEGIN
        DELETE FROM "B" WHERE "_row_id" = OLD."value";
      END
      """)
  }

  @Test
  func `A class that nothing refers to has no trigger, and triggers have names of their own`() {
    expectEqual(triggers(model("A", property("p")), model("B", embedded: true, property("p"))), [])
    let many = triggers(
      model("A", property("b", .object, to: "E", .list), link("b_value", to: "E")),
      model("A_b_value", link("e", to: "E")), model("E", embedded: true, property("p")))
    expectEqual(Set(many.map(\.name)).count, many.count)
  }
}
