import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var maybe: Int?
    @Persisted var text = ""
  }
  class Gone: Object {
    @Persisted var number = 0
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var renamed = 0
    @Persisted var required = 0
    @Persisted var string = ""
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var text = ""
  }
  class Fresh: Object {
    @Persisted var number = 0
  }
}

/// The errors of `Migration.renameProperty`. Each leaves the file unchanged.
@Suite("Refused renames") struct RenameErrorsTests {
  /// The message of a rename that begins the block, and of one after the classes were used.
  private func message(
    _ className: String, _ from: String, _ to: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let folder = try TestFolder()
    try folder.write([V0.Item.self, V0.Gone.self]) { $0.add(V0.Item(value: [1, 2, "t"])) }
    let messages = try [false, true].map { touchesFirst in
      let error = try folder.expectUntouched(
        [V1.Item.self, V1.Fresh.self], version: 1,
        { migration, _ in
          if touchesFirst {
            for name in ["Item", "Fresh"] { migration.enumerateObjects(ofType: name) { _, _ in } }
            migration.create("Fresh")
          }
          migration.renameProperty(onType: className, from: from, to: to)
        }, sourceLocation: sourceLocation)
      expectEqual(error?.code, .fail, sourceLocation: sourceLocation)
      return error?.message ?? ""
    }
    expectEqual(messages[0], messages[1], sourceLocation: sourceLocation)
    return messages[0]
  }

  @Test func `A rename in an unknown class is refused`() throws {
    try expectEqual(
      message("NoSuchClass", "number", "renamed"),
      "Cannot rename properties for type 'NoSuchClass' because it does not exist.")
  }

  @Test func `A rename in a class that the program lost is refused`() throws {
    try expectEqual(
      message("Gone", "number", "renamed"),
      "Cannot rename properties for type 'Gone' because it has been removed from the Realm.")
  }

  @Test func `A rename of a property that the class still has is refused`() throws {
    try expectEqual(
      message("Item", "text", "string"),
      "Cannot rename property 'Item.text' to 'string' "
        + "because the source property still exists.")
  }

  @Test func `A rename of a property that the file doesn't have is refused`() throws {
    try expectEqual(
      message("Item", "nothing", "renamed"),
      "Cannot rename property 'Item.nothing' because it does not exist.")
  }

  @Test func `A rename of a property of a new class is refused`() throws {
    try expectEqual(
      message("Fresh", "before", "number"),
      "Cannot rename property 'Fresh.before' because it does not exist.")
  }

  @Test func `A rename to a name that the class doesn't have is found at the end`() throws {
    try expectEqual(
      message("Item", "number", "nothing"),
      "Renamed property 'Item.nothing' does not exist. Rename it to a property of the class.")
  }

  @Test func `A rename to a property of another type is refused`() throws {
    try expectEqual(
      message("Item", "number", "string"),
      "Cannot rename property 'Item.number' to "
        + "'string' because it would change from type 'int' to 'string'.")
    try expectEqual(
      message("Item", "number", "date"),
      "Cannot rename property 'Item.number' to "
        + "'date' because it would change from type 'int' to 'date'.")
  }

  @Test func `A rename from optional to required is refused`() throws {
    try expectEqual(
      message("Item", "maybe", "required"),
      "Cannot rename property 'Item.maybe' to "
        + "'required' because it would change from optional to required.")
  }

  @Test func `A second rename of the same property finds nothing`() throws {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1])) }
    let error = try file.failure([V1.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "number", to: "renamed")
      migration.renameProperty(onType: "Item", from: "number", to: "required")
    }
    expectEqual(
      error.message, "Cannot rename property 'Item.number' because it does not exist.")
    try expectEqual(file.values("Item", "number"), ["1"])
  }
}
