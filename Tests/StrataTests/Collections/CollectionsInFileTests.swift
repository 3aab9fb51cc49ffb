import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Collections in a file")
struct CollectionsInFileTests {
  let folder: TestFolder
  let realm: Realm
  let person: Graph.Person

  init() throws {
    folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Graph.types))
    self.realm = realm
    person = try realm.write { realm.create(Graph.Person.self, value: ["name": "Ada"]) }
  }

  @Test func `A list does what an array does, at random`() throws {
    var random = SplitMix64(seed: 7)
    var model: [Int] = []
    let list = person.numbers
    for round in 0..<40 {
      try realm.write {
        for _ in 0..<20 {
          let value = Int.random(in: 0..<1000, using: &random)
          let index = Int.random(in: 0...model.count, using: &random)
          switch Int.random(in: 0..<12, using: &random) {
          case 0...2:
            model.append(value)
            list.append(value)
          case 3...5:
            model.insert(value, at: index)
            list.insert(value, at: index)
          case 6 where index < model.count:
            model.remove(at: index)
            list.remove(at: index)
          case 7 where index < model.count:
            model[index] = value
            list[index] = value
          case 8 where model.count > 1:
            let from = Int.random(in: model.indices, using: &random)
            let to = Int.random(in: model.indices, using: &random)
            model.insert(model.remove(at: from), at: to)
            list.move(from: from, to: to)
          case 9 where model.count > 1:
            let first = Int.random(in: model.indices, using: &random)
            let second = Int.random(in: model.indices, using: &random)
            model.swapAt(first, second)
            list.swapAt(first, second)
          case 10:
            let new = [value, value + 1, value + 2]
            model.insert(contentsOf: new, at: 0)
            list.replaceSubrange(0..<0, with: new)
          case 11 where model.count > 3:
            let lower = Int.random(in: 0..<model.count - 2, using: &random)
            model.removeSubrange(lower..<lower + 2)
            list.removeSubrange(lower..<lower + 2)
          default: break
          }
          expectEqual(list.count, model.count)
          if let index = model.indices.randomElement(using: &random) {
            expectEqual(list[index], model[index], "seed 7, round \(round)")
            expectEqual(list.index(of: model[index]), model.firstIndex(of: model[index]))
          }
        }
        expectEqual(Array(list), model)
      }
      expectEqual(Array(list), model)
      expectEqual(list.map { $0 }, model)
      expectEqual(Array(realm.objects(Graph.Person.self).first!.numbers), model)
    }
    try expectTrue(folder.isSound())
  }

  @Test(arguments: [100, 1_900])
  func `Insertions into a long list stay where they belong`(at place: Int) throws {
    var model = Array(0..<2_000)
    try realm.write {
      person.numbers.append(objectsIn: model)
      for offset in 0..<50 {
        person.numbers.insert(-offset, at: place + offset)
        model.insert(-offset, at: place + offset)
      }
      for value in 0..<100 {
        person.numbers.insert(value, at: place)
        model.insert(value, at: place)
      }
      for value in 0..<60 {
        person.numbers.insert(value, at: 700)
        person.numbers.insert(value, at: 1_300)
        model.insert(value, at: 700)
        model.insert(value, at: 1_300)
        expectEqual(person.numbers[1_000], model[1_000])
      }
      person.numbers.move(from: 5, to: 1_500)
      model.insert(model.remove(at: 5), at: 1_500)
    }
    expectEqual(Array(person.numbers), model)
    expectEqual(person.numbers[1_500], model[1_500])
  }

  @Test
  func `A list stays known while others change, and not when another instance changes it`() throws {
    try realm.write {
      person.numbers.append(objectsIn: 0..<100)
      person.numbers.remove(at: 50)
      expectEqual(person.numbers[60], 61)
      var others: [Graph.Person] = []
      for number in 0..<1_100 {
        let other = realm.create(Graph.Person.self)
        other.numbers.append(number)
        others.append(other)
        if number % 100 == 0 { expectEqual(person.numbers[60], 61) }
      }
      let same = try #require(realm.objects(Graph.Person.self).first)
      expectEqual(same, person)
      for round in 0..<10 {
        same.numbers.remove(at: 0)
        others[round].numbers.append(7)
        expectEqual(person.numbers.count, 98 - round)
        expectEqual(person.numbers[0], round + 1)
        person.numbers.append(round)
        person.numbers.removeLast()
        expectEqual(same.numbers.last, 99)
        expectEqual(others[round].numbers.count, 2)
      }
    }
  }

  @Test func `A set has its values in their order, nil first`() throws {
    try realm.write {
      person.tags.insert(objectsIn: ["b", "a", "b"])
      person.marks.insert(objectsIn: [2, nil, 1, nil])
    }
    expectEqual(Array(person.tags), ["a", "b"])
    expectEqual(Array(person.marks), [nil, 1, 2])
    try realm.write { person.marks.remove(nil) }
    expectTrue(Array(person.marks) == [1, 2] && person.marks[1] == 2)
  }

  @Test func `Collections show what another program writes`() throws {
    try realm.write { person.numbers.append(objectsIn: [1, 2, 3]) }
    expectEqual(person.numbers[2], 3)
    try folder.execute("DELETE FROM Person_numbers WHERE value = 2")
    realm.refresh()
    expectEqual(Array(person.numbers), [1, 3])
    expectEqual(person.numbers[1], 3)
    try realm.write { person.numbers.insert(2, at: 1) }
    expectEqual(Array(person.numbers), [1, 2, 3])
  }
}
