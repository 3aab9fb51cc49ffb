import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

@Suite("Cursors")
struct CursorTests {
  @Test func `Objects are a sequence of asynchronous code`() async throws {
    let file = try RealmFile(RealFile.url("links"))
    var names: [RealmValue?] = []
    for try await dog in try file.objects("Dog", reading: ["name"]) {
      expectEqual(dog.names, ["name"])
      names.append(dog["name"])
    }
    expectEqual(names.count, 11)
    expectEqual(names, (try file.objects("Dog").all().map { $0["name"] }))
  }

  @Test func `An object describes itself`() throws {
    let file = try RealmFile(RealFile.url("links"))
    let dog = try #require(try file.object("Dog", key: 2))
    expectEqual(dog.description, "Dog 2 { name: string(\"dog 2\"), age: int(2) }")
    let link = RealmLink(className: "Dog", objectKey: 2)
    try expectEqual(file.object(link), dog)
  }

  @Test func `Only what is asked for is read`() throws {
    // The data of one property is damaged, and no other one is.
    var bytes = try RealFile.bytes("integers")
    let sound = try RealmFile(bytes: bytes)
    let names = sound.classes[0].properties.map(\.name)
    var readable: [Int] = []
    for position in stride(from: 24, to: bytes.count, by: 8)
    where bytes[position..<position + 4].allSatisfy({ $0 == 0x41 }) {
      let saved = bytes[position]
      bytes[position] = 0
      defer { bytes[position] = saved }
      do throws(RealmFileError) {
        let file = try RealmFile(bytes: bytes)
        var count = 0
        for name in names {
          do throws(RealmFileError) {
            _ = try file.objects("Widths", reading: [name]).all()
            count += 1
          } catch {
            expectEqual(error.place.className, "Widths")
          }
        }
        readable.append(count)
      } catch {
        expectEqual(error.code, .damaged)
      }
    }
    expectTrue(readable.contains(names.count - 1))
  }
}
