import TestKit
import Testing

@testable import Strata

@Suite struct ClassDescriptorTests {
  private class Base {}
  private class Middle: Base {}
  private final class Last: Middle {}
  private class Generic<Element>: Middle {}
  private final class Concrete: Generic<Int> {}
  class Visible {}
  class VisibleGeneric<Element> {}

  @Test func `Ancestry is what the source says`() throws {
    let base = try #require(ClassDescriptor(Base.self))
    let last = try #require(ClassDescriptor(Last.self))
    let concrete = try #require(ClassDescriptor(Concrete.self))
    expectNil(base.superclass)
    expectEqual(last.superclass, ClassDescriptor(Middle.self))
    expectEqual(concrete.superclass, ClassDescriptor(Generic<String>.self))
    expectTrue(last.inherits(from: base))
    expectTrue(concrete.inherits(from: base))
    expectFalse(base.inherits(from: last))
    expectFalse(base.inherits(from: base))
  }

  @Test func `A generic class is known as one and can't be created without its arguments`() throws {
    let generic = try #require(ClassDescriptor(Generic<Int>.self))
    let concrete = try #require(ClassDescriptor(Concrete.self))
    expectTrue(generic.isGeneric)
    expectNil(generic.type())
    expectFalse(concrete.isGeneric)
    expectTrue(concrete.type() == Concrete.self)
  }

  @Test func `Only classes have a class descriptor`() {
    expectNil(ClassDescriptor(Int.self))
    expectNil(ClassDescriptor(Optional<Int>.self))
    expectNil(ClassDescriptor((Int, Int).self))
  }

  @Test func `A superclass may be written as a reference`() throws {
    var image = FakeImage()
    let name = image.addName(referringTo: Base.self)
    let descriptor = try #require(ClassDescriptor(image.addDescriptor(superclass: name)))
    expectEqual(descriptor.superclass, ClassDescriptor(Base.self))
  }

  @Test func `A superclass may be written in letters`() throws {
    var image = FakeImage()
    for superclass in [Visible.self, VisibleGeneric<Int>.self] as [AnyClass] {
      let name = image.addName(try #require(_mangledTypeName(superclass)))
      let descriptor = try #require(ClassDescriptor(image.addDescriptor(superclass: name)))
      expectEqual(descriptor.superclass, ClassDescriptor(superclass))
    }
  }

  @Test(arguments: ["So8NSObjectC", "4None4NoneC", "Si", "not a name"])
  func `A superclass that is missing, or not a Swift class, doesn't count`(name: String) throws {
    var image = FakeImage()
    let descriptor = image.addDescriptor(superclass: image.addName(name))
    try expectNil(#require(ClassDescriptor(descriptor)).superclass)
  }

  @Test func `Records of other kinds are skipped`() throws {
    let base = try #require(ClassDescriptor(Base.self))
    var image = FakeImage()
    image.addEmptyRecord()
    let direct = image.addDescriptor()
    image.addRecord(of: direct)
    image.addIndirectRecord(of: base.address)
    image.addIndirectRecord(of: nil)
    image.addRecord(of: direct, kind: 2)
    image.addRecord(of: direct, kind: 3)
    image.addRecord(of: image.addDescriptor(flags: 17))
    expectEqual(image.classes.map(\.address), [direct, base.address])
  }
}
