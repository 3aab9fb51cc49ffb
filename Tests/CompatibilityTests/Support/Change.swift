import Strata
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum Added {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
    @Persisted var age = 0
  }
}

private enum Removed {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var note: String?
  }
}

private enum Renamed {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var title = ""
    @Persisted var note: String?
  }
}

private enum Retyped {
  class Item: Object {
    @Persisted var id = ""
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum Widened {
  class Item: Object {
    @Persisted var id: Float = 0
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum RetypedOptional {
  class Item: Object {
    @Persisted var id: Double?
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum MadeOptional {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name: String?
    @Persisted var note: String?
  }
}

private enum MadeRequired {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var note = ""
  }
}

private enum Keyed {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum KeyMoved {
  class Item: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var name = ""
    @Persisted var note: String?
  }
}

private enum Column {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
    override class func propertiesMapping() -> [String: String] { ["name": "label"] }
  }
}

private enum Indexed {
  class Item: Object {
    @Persisted(indexed: true) var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
  }
}

private enum Reordered {
  class Item: Object {
    @Persisted var note: String?
    @Persisted var name = ""
    @Persisted var id = 0
  }
}

/// A change of a class that needs a higher version, and the line that says so.
struct Change: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var old: ObjectBase.Type
  var new: ObjectBase.Type
  var lines: [String]

  init(_ name: String, _ old: ObjectBase.Type, _ new: ObjectBase.Type, _ lines: String...) {
    testDescription = name
    self.old = old
    self.new = new
    self.lines = lines
  }

  static let all = [
    Change(
      "a property is added", V0.Item.self, Added.Item.self,
      "Property 'Item.age' has been added."),
    Change(
      "a property is removed", V0.Item.self, Removed.Item.self,
      "Property 'Item.name' has been removed."),
    Change(
      "a property has another name", V0.Item.self, Renamed.Item.self,
      "Property 'Item.name' has been removed.", "Property 'Item.title' has been added."),
    Change(
      "an integer becomes a string", V0.Item.self, Retyped.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'string'."),
    Change(
      "an integer becomes a float", V0.Item.self, Widened.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'float'."),
    Change(
      "the type and whether it is optional change", V0.Item.self, RetypedOptional.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'double'."),
    Change(
      "a required property becomes optional", V0.Item.self, MadeOptional.Item.self,
      "Property 'Item.name' has been made optional."),
    Change(
      "an optional property becomes required", V0.Item.self, MadeRequired.Item.self,
      "Property 'Item.note' has been made required."),
    Change(
      "a primary key is added", V0.Item.self, Keyed.Item.self,
      "Primary Key for class 'Item' has been added."),
    Change(
      "a primary key is removed", Keyed.Item.self, V0.Item.self,
      "Primary Key for class 'Item' has been removed."),
    Change(
      "another property is the primary key", Keyed.Item.self, KeyMoved.Item.self,
      "Primary Key for class 'Item' has changed from 'id' to 'name'."),
    Change(
      "a column has another name", V0.Item.self, Column.Item.self,
      "Property 'Item.name' has been removed.", "Property 'Item.label' has been added."),
    Change(
      "a primary key becomes an index", Keyed.Item.self, Indexed.Item.self,
      "Primary Key for class 'Item' has been removed."),
  ]

  /// Changes that need no higher version; they have no lines.
  static let free = [
    Change("nothing changes", V0.Item.self, V0.Item.self),
    Change("an index is added", V0.Item.self, Indexed.Item.self),
    Change("an index is removed", Indexed.Item.self, V0.Item.self),
    Change("properties change their order", V0.Item.self, Reordered.Item.self),
  ]
}
