import TestKit
import Testing

@testable import Strata

@Suite struct TypeSectionsTests {
  @Test func `Every class that inherits from the base is found, wherever it is declared`() throws {
    let names = try TypeFinder.subclasses(of: Base.self).map { _typeName($0, qualified: false) }
    expectEqual(
      names,
      [
        "Direct", "FromConcrete", "InExtension", "InFunction", "Indirect", "Private",
        "TypeSectionsTopLevel", "Versioned", "Versioned",
      ])
  }

  @Test func `The classes themselves are found`() throws {
    let found = Set(try TypeFinder.subclasses(of: Base.self).map { ObjectIdentifier($0) })
    let expected: [AnyClass] = [
      Models.Direct.self, Models.Indirect.self, Models.FromConcrete.self,
      Models.V1.Versioned.self, Models.V2.Deeper.Versioned.self, Models.V1.InExtension.self,
      TypeSectionsTopLevel.self,
    ]
    for type in expected { expectTrue(found.contains(ObjectIdentifier(type)), "\(type)") }
    expectFalse(found.contains(ObjectIdentifier(Base.self)))
    expectFalse(found.contains(ObjectIdentifier(Models.Unrelated.self)))
  }

  @Test func `A subclass is a base, too`() throws {
    try expectEqual(TypeFinder.subclasses(of: Models.Direct.self).map { "\($0)" }, ["Indirect"])
    try expectTrue(TypeFinder.subclasses(of: Models.Indirect.self).isEmpty)
  }

  @Test func `Listing twice gives the same classes in the same order`() throws {
    let lists = try (0..<2).map { _ in
      try TypeFinder.subclasses(of: Base.self).map { ObjectIdentifier($0) }
    }
    let again = try TypeFinder.subclasses(of: Base.self, in: TypeSection.loaded())
    expectEqual(lists[0], lists[1])
    expectEqual(lists[0], again.map { ObjectIdentifier($0) })
  }

  @Test func `An unrelated class is not created`() throws {
    var image = FakeImage()
    let name = image.addName(referringTo: Models.Unrelated.self)
    image.addRecord(of: image.addDescriptor())
    image.addRecord(of: image.addDescriptor(superclass: name))
    expectEqual(image.classes.count, 2)
    // Creating one of the two would stop this process.
    let found = try TypeFinder.subclasses(
      of: Base.self, in: TypeSection.loaded() + [image.section])
    expectEqual(found.count, 9)
  }

  @Test func `The class that a record leads to must be the class that it describes`() throws {
    let direct = try #require(ClassDescriptor(Models.Direct.self)).address
    let accessor = direct + 12 + Int((direct + 12).load(as: Int32.self))
    // The distance to code must fit into a record, so this image lies among the program's data.
    var image = FakeImage(memory: withUnsafeMutablePointer(to: &nearTheCode) { .init($0) })
    let name = image.addName(referringTo: Base.self)
    image.addRecord(of: image.addDescriptor(superclass: name, accessor: accessor))
    let sections = TypeSection.loaded() + [image.section]
    let failure = #expect(throws: DiscoveryFailure.self) {
      try TypeFinder.subclasses(of: Base.self, in: sections)
    }
    expectEqual(failure?.message.contains("leads to another type"), true)
  }

  @Test func `A library whose records have no version is refused with the repair`() {
    let sections = TypeSection.loaded() + [FakeImage().section(version: 0)]
    let failure = #expect(throws: DiscoveryFailure.self) {
      try TypeFinder.subclasses(of: Base.self, in: sections)
    }
    expectEqual(
      failure?.message,
      """
      The model classes of this program can't be listed: a loaded library states no version of \
      its type records, or one that this version of Strata doesn't know. List the classes of \
      this realm in 'objectTypes' of its configuration.
      """)
  }

  @Test func `Finding fewer classes than exist is a failure, not an empty list`() {
    let failure = #expect(throws: DiscoveryFailure.self) {
      try TypeFinder.subclasses(of: Base.self, in: [])
    }
    expectEqual(failure?.message.contains("'objectTypes'"), true)
  }

  private typealias Models = TypeSectionsModels
  private typealias Base = TypeSectionsModels.Base

  private func neverCalled() {
    final class InFunction: Base {}
    _ = InFunction.self
  }
}

nonisolated(unsafe) private var nearTheCode = SIMD64<UInt64>()

final class TypeSectionsTopLevel: TypeSectionsModels.Base {}

enum TypeSectionsModels {
  class Base {}
  class Direct: Base {}
  final class Indirect: Direct {}
  private final class Private: Base {}
  class Unrelated {}
  final class UnrelatedChild: Unrelated {}

  enum V1 {
    final class Versioned: Base {}
  }
  enum V2 {
    struct Deeper {
      final class Versioned: Base {}
    }
  }

  class Generic<Element>: Base {
    final class InGeneric: Base {}
  }
  final class FromConcrete: Generic<[String: Int]> {}
}

extension TypeSectionsModels.V1 {
  fileprivate final class InExtension: TypeSectionsModels.Base {}
}
