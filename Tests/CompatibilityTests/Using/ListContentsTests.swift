import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("The contents of lists") struct ListContentsTests {
  @Test func `Elements are added, removed and found`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.numbers
      expectTrue(list.isEmpty && list.first == nil && list.last == nil)
      list.append(1)
      list.append(objectsIn: [2, 3])
      list.insert(0, at: 0)
      list.insert(contentsOf: [8, 9], at: 4)
      expectTrue(Array(list) == [0, 1, 2, 3, 8, 9] && list.count == 6)
      expectTrue(list.first == 0 && list.last == 9 && list[4] == 8)
      expectTrue(list.index(of: 8) == 4 && list.index(of: 7) == nil && list.contains(3))
      list[4] = 4
      list.replace(index: 5, object: 5)
      expectEqual(Array(list), [0, 1, 2, 3, 4, 5])
      list.remove(at: 5)
      list.removeFirst()
      list.removeLast()
      expectEqual(Array(list), [1, 2, 3])
      list.insert(contentsOf: [7, 7], at: 1)
      list.append(objectsIn: list)
      list.remove(at: 1)
      expectEqual(Array(list), [1, 7, 2, 3, 1, 7, 7, 2, 3])
      list.insert(4, at: 9)
      list.removeFirst(6)
      list.removeLast(2)
      expectEqual(Array(list), [7, 2])
      list.removeAll()
      expectTrue(list.isEmpty)
      // Of none, none can be removed.
      list.removeFirst(0)
      list.removeLast(0)
      list.remove(atOffsets: [])
    }
  }

  @Test func `Elements move and change places`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.numbers
      list.append(objectsIn: 0..<6)
      list.move(from: 0, to: 5)
      expectEqual(Array(list), [1, 2, 3, 4, 5, 0])
      list.move(from: 5, to: 0)
      list.swapAt(1, 4)
      expectEqual(Array(list), [0, 4, 2, 3, 1, 5])
      list.swapAt(2, 2)
      list.move(fromOffsets: [0, 1], toOffset: 6)
      expectEqual(Array(list), [2, 3, 1, 5, 0, 4])
      list.move(fromOffsets: IndexSet(integer: 5), toOffset: 0)
      expectEqual(Array(list), [4, 2, 3, 1, 5, 0])
      list.remove(atOffsets: [0, 2, 5])
      expectEqual(Array(list), [2, 1, 5])
      list.append(objectsIn: [8, 9])
      list.move(fromOffsets: [0, 2], toOffset: 4)
      expectEqual(Array(list), [1, 8, 2, 5, 9])
      list.move(fromOffsets: [3, 4], toOffset: 1)
      expectEqual(Array(list), [1, 5, 9, 8, 2])
      list.move(fromOffsets: [0, 4], toOffset: 2)
      expectEqual(Array(list), [5, 1, 2, 9, 8])
      expectEqual(list.objects(at: [0, 4]), [5, 8])
    }
  }

  @Test func `Ranges are replaced, removed and read, also by those of other lists`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.numbers
      let other = List<Int>()
      other.append(objectsIn: [10, 11, 12])
      list.append(objectsIn: 0..<5)
      list[1..<4] = other[0..<2]
      expectEqual(Array(list), [0, 10, 11, 4])
      expectTrue(Array(list[1...2]) == [10, 11] && Array(list[2...]) == [11, 4])
      // Of the same list: what is read was there before.
      list[0..<1] = list[1..<4]
      expectEqual(Array(list), [10, 11, 4, 10, 11, 4])
      list.replaceSubrange(0...1, with: [7])
      list.replaceSubrange(1..<1, with: [8, 9])
      expectEqual(Array(list), [7, 8, 9, 4, 10, 11, 4])
      list.removeSubrange(4...)
      list.replaceSubrange(0..<1, with: [])
      expectEqual(Array(list), [8, 9, 4])
      list.removeSubrange(..<1)
      list.insert(8, at: 0)
      list.removeSubrange(1..<2)
      expectEqual(Array(list), [8, 4])
      list.append(9)
      list.removeAll { $0 > 8 }
      expectEqual(Array(list), [8, 4])
      shelf.numbers[0...0] = other[2...]
      expectEqual(Array(shelf.numbers), [12, 4])
      shelf.numbers.append(contentsOf: [5])
      expectEqual(shelf.numbers.filter { $0 < 10 }, [4, 5])
    }
  }

  @Test func `Lists of objects keep each in its place, and the same one several times`() throws {
    try Shop.write { realm in
      let shelf = realm.create(Shop.Shelf.self)
      let tea = Shop.Article(value: [1, "Tea"])
      shelf.articles.append(tea)
      shelf.articles.append(objectsIn: [Shop.Article(value: [2, "Cup"]), tea])
      expectEqual(realm.objects(Shop.Article.self).count, 2)
      expectEqual(shelf.articles.map(\.name), ["Tea", "Cup", "Tea"])
      expectTrue(shelf.articles.index(of: tea) == 0 && shelf.articles[2] == tea)
      shelf.articles.removeLast()
      // An element that is removed from a list stays in the realm. A deleted object leaves the
      // list.
      expectEqual(realm.objects(Shop.Article.self).count, 2)
      realm.delete(tea)
      expectEqual(shelf.articles.map(\.name), ["Cup"])
      shelf.articles.setValue("Mug", forKey: "name")
      expectEqual(shelf.articles.value(forKey: "name") as? [String], ["Mug"])
      realm.delete(shelf.articles)
      expectTrue(shelf.articles.isEmpty && realm.objects(Shop.Article.self).isEmpty)
    }
  }

  @Test func `What removeAll(where:) finds is removed, also where its closure changes the list`()
    throws
  {
    try Shop.write { realm in
      let list = realm.create(Shop.Shelf.self).articles
      list.append(objectsIn: (0..<10).map { Shop.Article(value: [$0, "\($0)"]) })
      list.removeAll { article in
        guard article.id.isMultiple(of: 2) else { return false }
        realm.delete(article)
        return true
      }
      expectEqual(list.map(\.id), [1, 3, 5, 7, 9])
      list.removeAll { article in
        if article.id == 1 { list.remove(at: 0) }
        return article.id > 3
      }
      expectEqual(list.map(\.id), [3])
    }
    try Shop.inMemoryAndInFile { shelf in
      shelf.numbers.append(objectsIn: 0..<10)
      shelf.numbers.removeAll { number in
        if number == 0 { shelf.numbers.remove(at: 0) }
        return number.isMultiple(of: 3)
      }
      expectEqual(Array(shelf.numbers), [1, 2, 4, 5, 7, 8])
    }
  }

  @Test func `Results of a list show by position what each change of the list made of them`()
    throws
  {
    try Shop.write { realm in
      let shelf = realm.create(Shop.Shelf.self)
      let list = shelf.articles
      list.append(objectsIn: (0..<4).map { Shop.Article(value: [$0, "\($0)"]) })
      let found = list.filter("id > 0")
      let holders = realm.objects(Shop.Shelf.self).filter("ANY articles.id == 2")
      expectTrue(found[0].id == 1 && holders[0] == shelf)
      list.move(from: 1, to: 3)
      expectTrue(found[0].id == 2 && list.map(\.id) == [0, 2, 3, 1])
      list.remove(at: 1)
      expectTrue(found[0].id == 3 && holders.isEmpty)
      list.insert(list[2], at: 0)
      expectEqual(found[0].id, 1)
      list[0] = list[2]
      expectTrue(found[0].id == 3 && list.map(\.id) == [3, 0, 3, 1])
      let other = realm.create(Shop.Shelf.self)
      other.articles.append(list[3])
      let others = realm.objects(Shop.Shelf.self).filter("articles.@count < 2")
      expectEqual(others[0], other)
      list.removeAll()
      expectTrue(found.isEmpty && others[0] == shelf)
    }
  }

  @Test func `A list is the same when it is that of the same object`() throws {
    try Shop.write { realm in
      let one = realm.create(Shop.Shelf.self)
      let other = realm.create(Shop.Shelf.self)
      let same = try #require(realm.objects(Shop.Shelf.self).first)
      expectTrue(one.numbers == same.numbers && one.numbers != other.numbers)
      // Unmanaged lists are equal if their elements are.
      expectTrue(List<Int>() == List<Int>() && one.numbers != List<Int>())
    }
  }

  @Test func `Assigning a list copies its elements, and assigning it to itself changes nothing`()
    throws
  {
    try Shop.inMemoryAndInFile { shelf in
      let (list, other) = (shelf.numbers, List<Int>())
      other.append(objectsIn: [1, 2])
      shelf.numbers = other
      other.append(3)
      expectTrue(Array(list) == [1, 2] && list === shelf.numbers)
      shelf.numbers = shelf.numbers
      expectEqual(Array(shelf.numbers), [1, 2])
      shelf["texts"] = ["a", nil] as [String?]
      expectEqual(Array(shelf.texts), ["a", nil])
      shelf["texts"] = nil
      expectTrue(shelf.texts.isEmpty)
      shelf["numbers"] = [3, Int8(4)]
      expectEqual(Array(list), [3, 4])
      shelf["numberMap"] = ["a": 1, "b": 2]
      expectEqual(shelf.numberMap["b"], 2)
    }
    let error = try Shop.failure { $0.create(Shop.Shelf.self)["numbers"] = ["x"] }
    expectEqual(error?.message.contains("array<int>"), true)
  }

  @Test func `The list of a deleted object is invalidated, and empty`() throws {
    try Shop.write { realm in
      let shelf = realm.create(Shop.Shelf.self, value: ["numbers": [1], "numberMap": ["a": 1]])
      let (list, map, set) = (shelf.numbers, shelf.numberMap, shelf.numberSet)
      expectTrue(!list.isInvalidated && !map.isInvalidated && !set.isInvalidated)
      realm.delete(shelf)
      expectTrue(list.isInvalidated && map.isInvalidated && set.isInvalidated)
      expectTrue(list.isEmpty && map.isEmpty && set.isEmpty && Array(list).isEmpty)
    }
  }

  @Test func `A loop goes over what was there when it began`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf.numbers.append(objectsIn: [1, 2, 3])
      var seen: [Int] = []
      for number in shelf.numbers {
        seen.append(number)
        shelf.numbers.append(number * 10)
      }
      expectTrue(seen == [1, 2, 3] && shelf.numbers.count == 6)
    }
  }

  /// An index out of range ends the process, as with arrays, with Realm's message.
  @Test func `A position out of range ends the process`() async throws {
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>()[0]
    }
    expectTrue(errors(read).contains("Index 0 is out of bounds (must be less than 0)."))
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(objectsIn: [1, 2, 3])
      list[1..<4] = list[0..<1]
    }
    expectTrue(errors(range).contains("Index 4 is out of bounds (must be less than 3)."))
    let last = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().removeLast()
    }
    let sentence =
      "It is not possible to remove more objects (1) from a list than it already contains (0)."
    expectTrue(errors(last).contains(sentence))
    let file = try TestFile()
    let first = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [folder = file.folder.path as String] in
      try Shop.write(in: TestFile(ofParent: folder)) { realm in
        realm.create(Shop.Shelf.self).numbers.removeFirst()
      }
    }
    expectTrue(errors(first).contains(sentence))
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().removeFirst(-1)
    }
    expectTrue(errors(negative).contains("remove a negative number of objects (-1)"))
    let move = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().move(from: 0, to: 1)
    }
    expectTrue(errors(move).contains("Index 0 is out of bounds (must be less than 0)."))
  }

  @Test func `Texts that look alike and differ in bytes are distinct`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf.texts.append(objectsIn: ["\u{E9}", "e\u{301}", nil, "\u{E9}", nil])
      expectEqual(shelf.texts.distinct().map { $0?.utf8.count }, [2, 3, nil])
      expectEqual(shelf.texts.sorted().distinct().map { $0?.utf8.count }, [nil, 3, 2])
      shelf.anything.append(objectsIn: [.string("\u{E9}"), .int(1), .string("e\u{301}"), .int(1)])
      expectEqual(shelf.anything.distinct().map { $0.stringValue?.utf8.count }, [2, nil, 3])
    }
  }
}
