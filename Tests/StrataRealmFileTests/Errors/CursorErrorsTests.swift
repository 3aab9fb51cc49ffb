import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// The errors of cursors.
@Suite("Errors of cursors")
struct CursorErrorsTests {
  private let file: RealmFile

  init() throws { file = try RealmFile(bytes: RealFile.bytes("links")) }

  @Test func `A class that isn't there is named with those that are`() {
    let error = expectError { _ = try file.objects("Cat") }
    expectEqual(error?.code, .unknownClass)
    expectEqual(
      error?.description,
      "The file has no class 'Cat'. It has these: Address, Country, Dog, Never, Person.")
  }

  @Test func `A property that isn't there is named with those that are`() {
    let error = expectError {
      _ = try file.objects("Dog", reading: ["name", "owner"])
    }
    expectEqual(error?.code, .unknownProperty)
    expectEqual(
      error?.description,
      "The class has no property 'owner' (class 'Dog'). It has these: name, age.")
  }

  @Test(arguments: [-1, 2, .max, .min])
  func `A position that isn't there is named`(position: Int) throws {
    let rows = try file.rows("Dog")
    try expectTrue(rows.next())
    let error = expectError { _ = try rows.int(position) }
    expectEqual(error?.code, .unknownProperty)
    expectEqual(
      error?.description,
      "The class has no property at position \(position) (class 'Dog', object 0). It has 2 "
        + "properties. 'position(of:)' finds one by its name.")
    let valueError = expectError { _ = try rows.value(position) }
    expectEqual(valueError?.code, .unknownProperty)
    let elementsError = expectError { _ = try rows.elements(position) }
    expectEqual(elementsError?.code, .unknownProperty)
  }

  @Test func `A value of another type is refused`() throws {
    let rows = try file.rows("Dog")
    try expectTrue(rows.next())
    let error = expectError { _ = try rows.int(0) }
    expectEqual(error?.code, .wrongType)
    expectEqual(
      error?.description,
      "A value of type 'string' isn't read with 'int' (class 'Dog', property 'name', object 0). "
        + "Use the method of its type, or 'value'.")
    let reads: [(RealmRows) throws -> Void] = [
      { _ = try $0.bool(0) },
      { _ = try $0.float(0) },
      { _ = try $0.double(0) },
      { _ = try $0.date(0) },
      { _ = try $0.decimal(0) },
      { _ = try $0.objectId(0) },
      { _ = try $0.uuid(0) },
      { _ = try $0.data(0) },
      { _ = try $0.link(0) },
      { _ = try $0.elements(0) },
      { _ = try $0.string(1) },
      { _ = try $0.bytes(1) },
    ]
    for read in reads {
      expectEqual(expectError { try read(rows) }?.code, .wrongType)
    }
  }

  @Test func `A cursor has no values before its first object, and behind its last one`() throws {
    let rows = try file.rows("Dog")
    func expectNoObject() {
      let error = expectError { _ = try rows.string(0) }
      expectEqual(error?.code, .noObject)
      expectEqual(
        error?.description,
        "The cursor is at no element (class 'Dog', property 'name'). Call 'next()' first, and "
          + "read values only after it returned true.")
    }
    expectNoObject()
    while try rows.next() {}
    expectNoObject()
    try expectFalse(rows.next())
  }

  @Test func `A collection may be read twice, and by two cursors`() throws {
    let rows = try file.rows("Person")
    let dogs = try rows.realmClass.position(of: "dogs")
    var lengths: Set<Int> = []
    while try rows.next() {
      let first = try rows.value(dogs)
      try expectEqual(rows.value(dogs), first)
      let cursor = try rows.elements(dogs)
      let other = try rows.elements(dogs)
      var count = 0
      while try cursor.next() {
        try expectTrue(other.next())
        try expectEqual(cursor.link(), other.link())
        count += 1
      }
      try expectFalse(other.next())
      lengths.insert(count)
    }
    expectTrue(lengths.count > 1)
  }

  @Test func `An object is found by its key`() throws {
    let dog = try #require(try file.object("Dog", key: 4))
    expectTrue(dog.key == 4 && dog["name"] == .string("dog 4") && dog["age"] == .int(4))
    expectNil(dog["owner"])
    try expectNil(file.object("Dog", key: 5))
    try expectNil(file.object("Dog", key: -1))
    try expectNil(file.object("Never", key: 0))
    for key in 0..<600 as Range<Int64> {
      let many = try RealmFile(bytes: RealFile.bytes("fragmented"))
      guard key % 97 == 0, let item = try many.object("Item", key: key) else { continue }
      expectEqual(item.key, key)
    }
  }
}
