import StrataQuery
import StrataSchema
import TestKit
import Testing

@Suite struct ObservedRegionTests {
  private let schema = Schema(
    model(
      "Person", property("name", .string, column: "full_name"), property("note", .any),
      link("address", to: "Address"), property("dogs", .object, to: "Dog", .list),
      property("tags", .string, to: nil, .set)),
    model("Dog", property("name", .string), linkingObjects("owners", from: "Person", "dogs")),
    model(
      "Address", embedded: true, property("city", .string), link("country", to: "Country")),
    model("Country", property("name", .string), link("capital", to: "Town")),
    model("Town", property("name", .string), link("mayor", to: "Mayor")),
    model("Mayor", property("name", .string)))

  private func message(_ keyPath: String, of className: String = "Person") -> String? {
    do throws(KeyPathProblem) {
      _ = try ObservedRegion(schema, className, keyPaths: [keyPath])
      return nil
    } catch { return error.message }
  }

  @Test func `Without key paths three links are followed, and all properties count`() throws {
    let region = try ObservedRegion(schema, "Country")
    expectEqual(region.sources.map(\.className), ["Country", "Town", "Mayor"])
    expectTrue(region.sources.allSatisfy { $0.columns == nil })
    // The note of a person may hold an object of any class that is not embedded.
    let person = try ObservedRegion(schema, "Person")
    expectEqual(
      person.sources.map(\.className),
      [
        "Person", "Country", "Dog", "Mayor", "Town", "Address",
      ])
    expectTrue(person.tables.isSuperset(of: ["Person", "Person_dogs", "Person_tags", "Address"]))
  }

  @Test func `Linking objects are not followed without a key path`() throws {
    try expectEqual(ObservedRegion(schema, "Dog").sources.map(\.className), ["Dog"])
  }

  @Test func `Without links only the objects themselves count`() throws {
    let region = try ObservedRegion(schema, "Person", depth: 0)
    expectEqual(region.tables, ["Person", "Person_dogs", "Person_tags"])
    expectTrue(region.waysBack(from: 0).isEmpty)
    expectFalse(region.hasWaysBack(from: 0))
  }

  @Test func `Whether there are ways back is known without them`() throws {
    for name in schema.objectSchema.map(\.className) {
      for depth in 0...3 {
        let region = try ObservedRegion(schema, name, depth: depth)
        for position in region.sources.indices {
          expectEqual(region.hasWaysBack(from: position), !region.waysBack(from: position).isEmpty)
        }
      }
    }
  }

  @Test func `A key path names the columns and tables that count`() throws {
    let region = try ObservedRegion(schema, "Person", keyPaths: ["name", "dogs"])
    expectEqual(region.sources.count, 1)
    expectEqual(region.sources[0].columns, ["full_name"])
    expectEqual(region.sources[0].collections.map(\.name), ["Person_dogs"])
    expectEqual(region.tables, ["Person", "Person_dogs"])
  }

  @Test func `A value of any type has two columns that count`() throws {
    let region = try ObservedRegion(schema, "Person", keyPaths: ["note"])
    expectEqual(region.sources[0].columns, ["note", "note_type"])
  }

  @Test func `A longer key path counts each property on it`() throws {
    let region = try ObservedRegion(schema, "Person", keyPaths: ["address.country.capital.name"])
    expectEqual(
      region.sources.map { [$0.className] + ($0.columns ?? []) },
      [
        ["Person", "address"], ["Address", "country"], ["Country", "capital"], ["Town", "name"],
      ])
    expectEqual(
      region.waysBack(from: 1).map { $0.sql(BoundIdentities([1, 2])) },
      [
        #"SELECT "_id" FROM "Person" WHERE "address" IN (SELECT value FROM json_each(?1))"#
      ])
  }

  @Test func `A star is one level of all stored properties`() throws {
    let region = try ObservedRegion(schema, "Person", keyPaths: ["*"])
    expectEqual(region.sources.count, 1)
    expectEqual(region.sources[0].columns, ["full_name", "note", "note_type", "address"])
    expectEqual(region.sources[0].collections.map(\.name), ["Person_dogs", "Person_tags"])
    let behind = try ObservedRegion(schema, "Person", keyPaths: ["address.*"])
    expectEqual(
      behind.sources.map { [$0.className] + ($0.columns ?? []) },
      [
        ["Person", "address"], ["Address", "city", "country"],
      ])
    // Properties that don't lead to a city are left out.
    let through = try ObservedRegion(schema, "Person", keyPaths: ["*.city"])
    expectEqual(through.sources[0].columns, ["address"])
    expectTrue(through.sources[0].collections.isEmpty)
  }

  @Test func `With no key path at all only which objects there are counts`() throws {
    let region = try ObservedRegion(schema, "Person", keyPaths: [])
    expectEqual(region.sources[0].columns, [])
    expectEqual(region.tables, ["Person"])
  }

  @Test func `Linking objects lead forward, from the state before as well`() throws {
    let region = try ObservedRegion(schema, "Dog", keyPaths: ["owners.name"])
    expectEqual(
      region.sources.map { [$0.className] + ($0.columns ?? []) },
      [
        ["Dog"], ["Person", "full_name"],
      ])
    expectEqual(region.sources[1].collections.map(\.name), ["Person_dogs"])
    let ways = region.waysBack(from: 1)
    expectEqual(ways.map(\.readsOldState), [true])
    expectEqual(
      ways.map { $0.sql(BoundIdentities([1])) },
      [
        #"SELECT "value" FROM "Person_dogs" WHERE "owner" = ?1 AND "value" IS NOT NULL"#
      ])
    let alone = try ObservedRegion(schema, "Dog", keyPaths: ["owners"])
    expectEqual(alone.tables, ["Dog", "Person", "Person_dogs"])
  }

  @Test func `Objects in values of any type are found by their index`() throws {
    let region = try ObservedRegion(schema, "Person")
    let dog = try #require(region.sources.firstIndex { $0.className == "Dog" })
    expectEqual(
      Set(region.waysBack(from: dog).map { $0.sql(BoundIdentities([1])) }),
      [
        #"SELECT "owner" FROM "Person_dogs" WHERE "value" = ?1"#,
        #"SELECT "_id" FROM "Person" WHERE "note" = ?1 "#
          + #"AND "note_type" < 'a' AND "note_type" = '<Dog>'"#,
      ])
  }

  @Test func `A path that is no property says which there are`() {
    expectEqual(
      message("nme"),
      "Invalid property name: property 'nme' not found in object of type "
        + "'Person'. It has: name, note, address, dogs, tags. Did you mean 'name'?")
    expectEqual(
      message("dogs.age"),
      "Invalid property name: property 'age' not found in object of type "
        + "'Dog'. The key path is 'dogs.age'. It has: name, owners.")
    expectEqual(message("")?.hasPrefix("Invalid property name: property ''"), true)
    expectEqual(message("dogs.")?.hasPrefix("Invalid property name: property ''"), true)
    expectEqual(
      message("name.x"),
      "Property 'name' in KeyPath 'name.x' is not a collection of objects or "
        + "an object reference, so it cannot be used as an intermediate keypath element. "
        + "End the key path with it.")
    expectTrue(message("name.*") != nil)
    expectTrue(message("note.name") != nil)
    expectNil(message("*.nothing"))
    expectEqual(
      message("name", of: "Cat"),
      "Class 'Cat' can't be observed: this realm doesn't have it. Add it to 'objectTypes'.")
  }

  @Test func `Two hundred classes that all lead to each other are cheap`() throws {
    let names = (0..<200).map { "C\($0)" }
    let schema = Schema(
      names.map { name in
        ObjectSchema(
          className: name,
          properties: [property("any", .any)] + names.map { link("to\($0)", to: $0) })
      })
    let region = try ObservedRegion(schema, "C7")
    expectEqual(region.sources.count, 200)
    expectEqual(region.waysBack(from: 0).count, 400)
    let stars = try ObservedRegion(schema, "C7", keyPaths: ["*.*.*"])
    expectEqual(stars.sources.count, 401)
  }
}
