import Strata
import StrataTestKit
import TestKit
import Testing

/// The rules for classes in collections and embedded classes.
@Suite struct CollectionSchemaTests {
  enum Cycle {
    final class Inner: EmbeddedObject { @Persisted var outer: Outer? }
    final class Outer: EmbeddedObject { @Persisted var inners: List<Inner> }
  }

  enum InSet {
    final class Part: EmbeddedObject { @Persisted var name = "" }
    final class Whole: Object { @Persisted var parts: MutableSet<Part> }
  }

  enum Keyed {
    final class Part: EmbeddedObject { @Persisted(primaryKey: true) var id = 0 }
  }

  enum Indexed {
    final class Whole: Object { @Persisted(indexed: true) var numbers: List<Double> }
  }

  enum Origin {
    final class Dog: Object {
      @Persisted(originProperty: "cats") var owners: LinkingObjects<Person>
    }
    final class Person: Object { @Persisted var dogs: List<Dog> }
  }

  enum Missing {
    final class Person: Object { @Persisted var dogs: Map<String, Origin.Dog?> }
  }

  @Test(arguments: [
    (
      [Cycle.Inner.self, Cycle.Outer.self] as [ObjectBase.Type],
      "Cycles containing embedded objects are not currently supported: 'Inner.outer.inners'"
    ),
    (
      [InSet.Part.self, InSet.Whole.self],
      "Set property 'Whole.parts' cannot contain embedded object type 'Part'."
    ),
    ([Keyed.Part.self], "Embedded object type 'Part' cannot have a primary key."),
    ([Indexed.Whole.self], "Property 'Whole.numbers' of type 'array<double>' cannot be indexed."),
    (
      [Origin.Dog.self, Origin.Person.self],
      "Property 'Person.cats' declared as origin of linking objects property 'Dog.owners' does "
        + "not exist"
    ),
    (
      [Missing.Person.self],
      "'Person.dogs' links to class 'Dog', which is missing from the list of classes managed by the "
        + "Realm"
    ),
  ])
  func `Mistakes in the declaration of collections are reported`(
    _ types: [ObjectBase.Type], _ message: String
  ) throws {
    let folder = try TestFolder()
    expectError(containing: "\n- \(message)") {
      try Realm(configuration: folder.configuration(types))
    }
  }

  @Test func `The schema shows each kind of property`() {
    let schema = Kennel.Person().objectSchema
    let types = [
      "friend", "dogs", "optionals", "pack", "scores", "dogsByName", "homes", "anything",
    ]
    let expected: [(PropertyType, String?, Bool)] = [
      (.object, "Person", true), (.object, "Dog", false), (.int, nil, true),
      (.object, "Dog", false), (.int, nil, false), (.object, "Dog", true),
      (.object, "Address", true), (.any, nil, false),
    ]
    for (name, (type, target, isOptional)) in zip(types, expected) {
      let property = schema[name]
      expectTrue(property?.type == type && property?.objectClassName == target)
      expectEqual(property?.isOptional, isOptional, "\(name)")
    }
    expectTrue(schema["dogs"]?.isArray == true && schema["pack"]?.isSet == true)
    expectTrue(schema["scores"]?.isMap == true && schema["friend"]?.isArray == false)
  }
}
