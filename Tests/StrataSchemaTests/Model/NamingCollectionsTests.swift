import StrataSchema
import TestKit
import Testing

/// The choice of a table for a collection, decided from values.
@Suite("Naming the tables of collections")
struct NamingCollectionsTests {
  private let p = property("p")
  private let dogs = property("dogs", .int, .list)

  private func names(
    _ classes: ObjectSchema..., besides file: Schema = Schema()
  ) -> [String] {
    tables(Schema(classes).namingCollections(besides: file))
  }

  private func tables(_ schema: Schema) -> [String] {
    schema.objectSchema.flatMap(\.collectionTables).map(\.name)
  }

  @Test func `The usual name is that of class and column`() {
    expectEqual(names(model("Person", dogs), model("Dog", p)), ["Person_dogs"])
    let schema = Schema([model("Person", dogs)])
    expectEqual(schema.namingCollections(besides: Schema()), schema)
  }

  @Test func `A class keeps its name, and the collection gets another one`() {
    expectEqual(names(model("Person", dogs), model("Person_dogs", p)), ["Person_dogs_elements"])
    expectEqual(names(model("Person", dogs), model("person_Dogs", p)), ["Person_dogs_elements"])
    expectEqual(
      names(model("Person", dogs), model("Person_dogs", p), model("Person_dogs_elements", p)),
      ["Person_dogs_elements2"])
  }

  @Test func `Two collections have two tables`() {
    expectEqual(
      names(model("A", property("b_c", .int, .list)), model("A_b", property("c", .int, .map))),
      ["A_b_c", "A_b_c_elements"])
  }

  @Test func `A collection keeps the table that it has in the file`() {
    let besideClass = Schema([model("Person", dogs), model("Person_dogs", p)])
      .namingCollections(besides: Schema())
    expectEqual(names(model("Person", dogs), besides: besideClass), ["Person_dogs_elements"])
    // The class is gone from the file as well: nothing needs to be renamed.
    let alone = Schema([besideClass["Person"]!])
    expectEqual(names(model("Person", dogs), besides: alone), ["Person_dogs_elements"])
    // Of two collections, the one that was there first.
    let second = Schema([model("A_b", property("c", .int, .map))])
    expectEqual(
      names(
        model("A", property("b_c", .int, .list)), model("A_b", property("c", .int, .map)),
        besides: second), ["A_b_c_elements", "A_b_c"])
  }

  @Test func `A class that comes later takes its name`() {
    let file = Schema([model("Person", dogs)])
    let target = Schema([model("Person", dogs), model("Person_dogs", p)])
      .namingCollections(besides: file)
    expectEqual(tables(target), ["Person_dogs_elements"])
    let moves = file.collectionsInTheWay(of: target)
    expectEqual(moves.map(\.from.name), ["Person_dogs"])
    expectEqual(moves.map(\.to.name), ["Person_dogs_elements"])
    let list = SchemaTranslator.operationsResolvingNameConflicts(in: file, for: target)
    expectEqual(
      list.operations.map(\.description),
      [
        "Rename table 'Person_dogs' to 'Person_dogs_elements'."
      ])
    expectEqual(tables(list.schema), ["Person_dogs_elements"])
    expectEqual(
      SchemaTranslator.operationsResolvingNameConflicts(in: list.schema, for: target).operations,
      [])
  }

  @Test func `A class takes its name from a collection of a class that left the program`() {
    let file = Schema([model("Person", dogs)])
    let target = Schema([model("Person_dogs", p)]).namingCollections(besides: file)
    expectEqual(file.collectionsInTheWay(of: target).map(\.to.name), ["Person_dogs_elements"])
  }

  @Test func `A class that left the program keeps its table`() {
    let file = Schema([model("Person_dogs", p)])
    expectEqual(names(model("Person", dogs), besides: file), ["Person_dogs_elements"])
  }

  @Test func `A name that changes in case only is a rename`() {
    let file = Schema([model("Person", property("Dogs", .int, .list))])
    expectEqual(names(model("Person", dogs), besides: file), ["Person_dogs"])
  }

  @Test func `A program that only reads takes the names of the file`() {
    let file = Schema([model("Person", dogs)])
    let target = Schema([model("Person", dogs), model("Person_dogs", p)])
      .namingCollections(besides: Schema())
    expectEqual(tables(target.withCollectionNames(of: file)), ["Person_dogs"])
  }

  @Test func `A renamed class has collections beside a class of that name`() {
    let file = Schema([model("Human", dogs), model("Person_dogs", p)])
    let moves = file.collectionsWithoutUsualName(
      of: "Human", renamedTo: "Person", as: model("Person", dogs))
    expectEqual(moves.map(\.to.name), ["Person_dogs_elements"])
    expectTrue(
      file.collectionsWithoutUsualName(of: "Human", renamedTo: "Being", as: nil).isEmpty)
  }
}
