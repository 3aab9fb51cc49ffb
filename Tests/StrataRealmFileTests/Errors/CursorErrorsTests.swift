import RealmFileKit
import StrataRealmFile
import Testing

/// What goes wrong with cursors.
@Suite("Errors of cursors")
struct CursorErrorsTests {
  private let file: RealmFile

  init() throws { file = try RealmFile(bytes: RealFile.bytes("links")) }

  @Test func `A class that isn't there is named with those that are`() {
    let error = expectError { _ = try file.objects("Cat") }
    #expect(error?.code == .unknownClass)
    #expect(
      error?.description
        == "The file has no class 'Cat'. It has these: Address, Country, Dog, Never, Person.")
  }

  @Test func `A property that isn't there is named with those that are`() {
    let error = expectError {
      _ = try file.objects("Dog", reading: ["name", "owner"])
    }
    #expect(error?.code == .unknownProperty)
    #expect(
      error?.description
        == "The class has no property 'owner' (class 'Dog'). It has these: name, age.")
  }

  @Test(arguments: [-1, 2, .max, .min])
  func `A position that isn't there is named`(position: Int) throws {
    let rows = try file.rows("Dog")
    #expect(try rows.next())
    let error = expectError { _ = try rows.int(position) }
    #expect(error?.code == .unknownProperty)
    #expect(
      error?.description
        == "The class has no property at position \(position) (class 'Dog', object 0). It has 2 "
        + "properties. 'position(of:)' finds one by its name.")
    let valueError = expectError { _ = try rows.value(position) }
    #expect(valueError?.code == .unknownProperty)
    let elementsError = expectError { _ = try rows.elements(position) }
    #expect(elementsError?.code == .unknownProperty)
  }

  @Test func `A value of another type is refused`() throws {
    let rows = try file.rows("Dog")
    #expect(try rows.next())
    let error = expectError { _ = try rows.int(0) }
    #expect(error?.code == .wrongType)
    #expect(
      error?.description
        == "A value of type 'string' isn't read with 'int' (class 'Dog', property 'name', object 0). "
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
      #expect(expectError { try read(rows) }?.code == .wrongType)
    }
  }

  @Test func `A cursor has no values before its first object, and behind its last one`() throws {
    let rows = try file.rows("Dog")
    func expectNoObject() {
      let error = expectError { _ = try rows.string(0) }
      #expect(error?.code == .noObject)
      #expect(
        error?.description
          == "The cursor is at no element (class 'Dog', property 'name'). Call 'next()' first, and "
          + "read values only after it returned true.")
    }
    expectNoObject()
    while try rows.next() {}
    expectNoObject()
    #expect(try !rows.next())
  }

  @Test func `A collection may be read twice, and by two cursors`() throws {
    let rows = try file.rows("Person")
    let dogs = try rows.realmClass.position(of: "dogs")
    var lengths: Set<Int> = []
    while try rows.next() {
      let first = try rows.value(dogs)
      #expect(try rows.value(dogs) == first)
      let cursor = try rows.elements(dogs)
      let other = try rows.elements(dogs)
      var count = 0
      while try cursor.next() {
        #expect(try other.next())
        #expect(try cursor.link() == other.link())
        count += 1
      }
      #expect(try !other.next())
      lengths.insert(count)
    }
    #expect(lengths.count > 1)
  }

  @Test func `An object is found by its key`() throws {
    let dog = try #require(try file.object("Dog", key: 4))
    #expect(dog.key == 4 && dog["name"] == .string("dog 4") && dog["age"] == .int(4))
    #expect(dog["owner"] == nil)
    #expect(try file.object("Dog", key: 5) == nil)
    #expect(try file.object("Dog", key: -1) == nil)
    #expect(try file.object("Never", key: 0) == nil)
    for key in 0..<600 as Range<Int64> {
      let many = try RealmFile(bytes: RealFile.bytes("fragmented"))
      guard key % 97 == 0, let item = try many.object("Item", key: key) else { continue }
      #expect(item.key == key)
    }
  }
}
