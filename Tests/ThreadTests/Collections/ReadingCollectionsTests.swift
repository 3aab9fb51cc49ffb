import Foundation
import Strata
import StrataTestKit
import Synchronization
import Testing

@Suite struct ReadingCollectionsTests {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var all: List<Owner>
    @Persisted var numbers: List<Int>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted(originProperty: "all") var inAll: LinkingObjects<Owner>
  }

  @Test(.timeLimit(.minutes(40)))
  func `Relationships are read while another thread changes them`() throws {
    let folder = try TestFolder()
    let configuration = folder.configuration([Owner.self])
    let realm = try Realm(configuration: configuration)
    let owner = try realm.write { realm.create(Owner.self, value: ["id": 1]) }
    let isOver = Atomic(false)
    let writer = startThread(configuration) { other in
      let mine = try #require(other.objects(Owner.self).first)
      while !isOver.load(ordering: .relaxed) {
        try other.write {
          mine.numbers.append(objectsIn: 0..<20)
          mine.numberSet.insert(objectsIn: 0..<20)
          mine.all.append(mine)
        }
        try other.write {
          mine.numbers.removeAll()
          mine.numberSet.removeAll()
          mine.all.removeAll()
        }
      }
    }
    let end = Date().addingTimeInterval(1)
    while Date() < end {
      _ = owner.numbers.first
      _ = owner.numbers.last
      _ = Array(owner.numbers)
      _ = owner.numbers.map { $0 + 1 }
      _ = owner.numberSet.first
      _ = owner.numberSet.last
      _ = owner.numberSet.map { $0 + 1 }
      _ = Array(owner.numberSet)
      _ = owner.all.first?.id
      _ = owner.all.last?.id
      _ = Array(owner.all).count
      _ = owner.inAll.map(\.id)
      _ = owner.inAll.first
      _ = Array(owner.inAll)
      _ = owner.numbers.contains(3)
      _ = owner.all.index(of: owner)
      _ = owner.numberSet.index(of: 3)
      _ = "\(owner.numbers)"
    }
    isOver.store(true, ordering: .relaxed)
    try writer.wait()
  }
}
