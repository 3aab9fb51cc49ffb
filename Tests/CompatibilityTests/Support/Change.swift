import Strata
import Testing

/// A class, and the same with one change each.
enum Variants {
  enum V0 {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum Added {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var name = ""
      @Persisted var note: String?
      @Persisted var age = 0
    }
  }

  enum Removed {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var note: String?
    }
  }

  enum Renamed {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var title = ""
      @Persisted var note: String?
    }
  }

  enum Retyped {
    class Item: Object {
      @Persisted var id = ""
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum Widened {
    class Item: Object {
      @Persisted var id: Float = 0
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum RetypedOptional {
    class Item: Object {
      @Persisted var id: Double?
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum MadeOptional {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var name: String?
      @Persisted var note: String?
    }
  }

  enum MadeRequired {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var name = ""
      @Persisted var note = ""
    }
  }

  enum Keyed {
    class Item: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum KeyMoved {
    class Item: Object {
      @Persisted var id = 0
      @Persisted(primaryKey: true) var name = ""
      @Persisted var note: String?
    }
  }

  enum Column {
    class Item: Object {
      @Persisted var id = 0
      @Persisted var name = ""
      @Persisted var note: String?
      override class func propertiesMapping() -> [String: String] { ["name": "label"] }
    }
  }

  enum Indexed {
    class Item: Object {
      @Persisted(indexed: true) var id = 0
      @Persisted var name = ""
      @Persisted var note: String?
    }
  }

  enum Reordered {
    class Item: Object {
      @Persisted var note: String?
      @Persisted var name = ""
      @Persisted var id = 0
    }
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
      "a property is added", Variants.V0.Item.self, Variants.Added.Item.self,
      "Property 'Item.age' has been added."),
    Change(
      "a property is removed", Variants.V0.Item.self, Variants.Removed.Item.self,
      "Property 'Item.name' has been removed."),
    Change(
      "a property has another name", Variants.V0.Item.self, Variants.Renamed.Item.self,
      "Property 'Item.name' has been removed.", "Property 'Item.title' has been added."),
    Change(
      "an integer becomes a string", Variants.V0.Item.self, Variants.Retyped.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'string'."),
    Change(
      "an integer becomes a float", Variants.V0.Item.self, Variants.Widened.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'float'."),
    Change(
      "the type and whether it is optional change", Variants.V0.Item.self,
      Variants.RetypedOptional.Item.self,
      "Property 'Item.id' has been changed from 'int' to 'double'."),
    Change(
      "a required property becomes optional", Variants.V0.Item.self,
      Variants.MadeOptional.Item.self,
      "Property 'Item.name' has been made optional."),
    Change(
      "an optional property becomes required", Variants.V0.Item.self,
      Variants.MadeRequired.Item.self,
      "Property 'Item.note' has been made required."),
    Change(
      "a primary key is added", Variants.V0.Item.self, Variants.Keyed.Item.self,
      "Primary Key for class 'Item' has been added."),
    Change(
      "a primary key is removed", Variants.Keyed.Item.self, Variants.V0.Item.self,
      "Primary Key for class 'Item' has been removed."),
    Change(
      "another property is the primary key", Variants.Keyed.Item.self, Variants.KeyMoved.Item.self,
      "Primary Key for class 'Item' has changed from 'id' to 'name'."),
    Change(
      "a column has another name", Variants.V0.Item.self, Variants.Column.Item.self,
      "Property 'Item.name' has been removed.", "Property 'Item.label' has been added."),
    Change(
      "a primary key becomes an index", Variants.Keyed.Item.self, Variants.Indexed.Item.self,
      "Primary Key for class 'Item' has been removed."),
  ]

  /// Changes that need no higher version; they have no lines.
  static let free = [
    Change("nothing changes", Variants.V0.Item.self, Variants.V0.Item.self),
    Change("an index is added", Variants.V0.Item.self, Variants.Indexed.Item.self),
    Change("an index is removed", Variants.Indexed.Item.self, Variants.V0.Item.self),
    Change("properties change their order", Variants.V0.Item.self, Variants.Reordered.Item.self),
  ]
}
