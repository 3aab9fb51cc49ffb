import Dispatch
import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Random transactions, by the library, by SQL and by another connection. Observers of every kind
/// apply their notifications to arrays, which must stay equal to the collections.
@Suite(.serialized) struct RandomObservingTests {
  /// Each program makes 50 commits.
  private static let programs =
    Int(ProcessInfo.processInfo.environment["STRATA_RANDOM_COMMITS"] ?? "").map { $0 / 50 } ?? 50

  @Test func `Change sets lead from each state to the next`() throws {
    for seed in 0..<UInt64(Self.programs) {
      let folder = try TestFolder()
      let realm = try Realm(configuration: folder.configuration(Node.types))
      let program = RandomProgram(realm, folder, seed: seed)
      try program.run(commits: 50)
      for problem in program.problems { Issue.record("seed \(seed): \(problem)") }
      guard program.problems.isEmpty else { return }
    }
  }
}

extension RandomObservingTests {
  /// Each round has 100 commits, of two threads and two tasks.
  @Test func `Change sets of limited results fit beside several writers`() async throws {
    for seed in 0..<UInt64(max(1, Self.programs / 20)) {
      // The writers don't use it.
      nonisolated(unsafe) let folder = try TestFolder()
      let configuration = folder.configuration(Node.types)
      let observers = RandomProgram(try Realm(configuration: configuration), folder, seed: seed)
      let problems = try await observers.observeChains(beside: 2, commits: 25) { number in
        RandomProgram(
          try Realm(configuration: configuration), folder, seed: seed * 4 + number,
          firstID: Int(number + 1) * 1_000)
      }
      for problem in problems { Issue.record("seed \(seed): \(problem)") }
      guard problems.isEmpty else { return }
    }
  }
}

/// An object that leads to others in every way.
final class Node: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name: String?
  @Persisted(indexed: true) var rank = 0
  @Persisted var next: Node?
  @Persisted var part: NodePart?
  @Persisted var nodes: List<Node>
  @Persisted var numbers: List<Int>
  @Persisted var tags: MutableSet<Int>
  @Persisted var others: MutableSet<Node>
  @Persisted var byKey: Map<String, Node?>
  @Persisted(originProperty: "nodes") var owners: LinkingObjects<Node>

  static let types: [ObjectBase.Type] = [Node.self, NodePart.self]

  /// All that counts as a change of the object, over one link and two.
  var everything: String {
    let near = "\(own) \(next?.own ?? "") \(nodes.map(\.own)) \(others.map(\.own).sorted())"
    return near + " \(byKey.map { "\($0.key) \($0.value?.own ?? "")" }) \(next?.next?.own ?? "")"
  }

  private var own: String {
    "\(id) \(name ?? "") \(rank) \(part?.size ?? 0) \(numbers.map { $0 }) \(tags.map { $0 })"
  }
}

final class NodePart: EmbeddedObject {
  @Persisted var size = 0
}

private final class RandomProgram {
  private let realm: Realm
  private let folder: TestFolder
  private let seed: UInt64
  private var random: SplitMix64
  private let queue = DispatchQueue(label: "random observers")
  private let heard = Heard<String>()
  private var tokens: [NotificationToken] = []
  private var nextID = 0

  var problems: [String] { heard.all }

  init(_ realm: Realm, _ folder: TestFolder, seed: UInt64, firstID: Int = 0) {
    self.realm = realm
    nextID = firstID
    self.folder = folder
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  func run(commits: Int) throws {
    try realm.write { for _ in 0..<Int.random(in: 0..<12, using: &random) { add() } }
    observeAll()
    observeChains()
    for number in 0..<commits {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try writeAsAnotherProcess()
      case 1: try? rollBack()
      default: try realm.write { for _ in 0...Int.random(in: 0..<4, using: &random) { change() } }
      }
      if number % 10 == 9 { try settle() }
    }
    try settle()
    for token in tokens { token.invalidate() }
  }

  /// Observes while a number of threads, and as many tasks, write their own programs. Returns the
  /// problems.
  func observeChains(
    beside writers: UInt64, commits: Int,
    _ program: @escaping @Sendable (UInt64) throws -> RandomProgram
  ) async throws -> [String] {
    try realm.write { for _ in 0..<12 { add() } }
    observeChains()
    let threads = (0..<writers).map { number in
      startThread { try program(number).write(commits: commits) }
    }
    let tasks = (writers..<2 * writers).map { number in
      Task.detached { try await program(number).writeAwaiting(commits: commits) }
    }
    for task in tasks { try await task.value }
    for thread in threads { try thread.wait() }
    try settle()
    for token in tokens { token.invalidate() }
    return problems
  }

  private func write(commits: Int) throws {
    for _ in 0..<commits { try realm.write { for _ in 0...number(2) { change() } } }
  }

  private func writeAwaiting(commits: Int) async throws {
    for _ in 0..<commits { try await realm.asyncWrite { for _ in 0...number(2) { change() } } }
  }

  /// Waits until everything was told.
  private func settle() throws {
    realm.refresh()
    let last = Heard<Int>()
    let token = realm.objects(Node.self).observe(on: queue) { _ in last.add(0) }
    if last.wait(for: 1).isEmpty { heard.add("nothing was heard") }
    queue.sync {}
    token.invalidate()
  }

  // MARK: Observers

  private func observeAll() {
    let all = realm.objects(Node.self)
    observe(all, "all", contents: \.everything) { $0.id }
    observe(all.sorted(byKeyPath: "rank"), "sorted") { $0.id }
    observe(all.sorted(by: ["name", "rank"]), "sorted by two") { $0.id }
    observe(all.where { $0.rank > 5 }, "filtered") { $0.id }
    observe(
      all.where { $0.rank < 8 && $0.name != "b" }.sorted(byKeyPath: "name", ascending: false),
      "filtered and sorted"
    ) { $0.id }
    observe(all.sorted(byKeyPath: "next.rank"), "sorted by a link", contents: \.everything) {
      $0.id
    }
    observe(all.where { $0.nodes.count > 1 }, "filtered by a list") { $0.id }
    observe(all.distinct(by: ["rank"]), "distinct") { $0.id }
    observe(all.sorted(byKeyPath: "rank", ascending: false).limit(4), "limited") { $0.id }
    observe(
      all, "key paths", keyPaths: ["rank", "nodes.name"],
      contents: { "\($0.rank) \($0.nodes.map(\.name))" }
    ) { $0.id }
    for node in Array(all.prefix(2)) {
      observe(node.nodes, "list of \(node.id)", contents: \.everything) { $0.id }
      observe(node.nodes.sorted(byKeyPath: "rank"), "sorted list of \(node.id)") { $0.id }
      observe(node.numbers, "numbers of \(node.id)") { $0 }
      observe(node.numbers.sorted(), "sorted numbers of \(node.id)") { $0 }
      observe(node.tags, "tags of \(node.id)") { $0 }
      observe(node.others, "others of \(node.id)") { $0.id }
      observe(node.owners, "owners of \(node.id)") { $0.id }
      observeMap(node)
    }
  }

  /// Each program has some of the chains; 43 programs have them all.
  private static let chainsOfProgram = 8

  private func observeChains() {
    let chains = ObservedStep.chains
    for number in 0..<Self.chainsOfProgram {
      let chain = chains[(Int(seed) * Self.chainsOfProgram + number) % chains.count]
      var (results, title) = (realm.objects(Node.self), "chain")
      for step in chain {
        let next = step.of(results, &random)
        (results, title) = (next.results, "\(title), \(next.text)")
      }
      observe(results, title) { $0.id }
    }
  }

  private func observe<C: RealmCollection>(
    _ collection: C, _ title: String, keyPaths: [String]? = nil,
    contents: @escaping (C.Element) -> String = { _ in "" },
    _ value: @escaping (C.Element) -> Int
  ) {
    var known: [Int]?
    var knownContents: [String] = []
    let token = collection.observe(keyPaths: keyPaths, on: queue) { [heard] change in
      func report(_ problem: String) {
        heard.add("\(title): \(problem), \(known ?? []), \(Change(change))")
      }
      switch change {
      case .initial(let collection):
        if known != nil { report("a second first call") }
        known = collection.map(value)
        knownContents = collection.map(contents)
      case .update(let collection, let deletions, let insertions, let modifications):
        let now = collection.map(value)
        guard let before = known else { return report("no first call") }
        known = now
        var array = before
        let oldContents = knownContents
        knownContents = collection.map(contents)
        let isOrderly = [deletions, insertions, modifications].allSatisfy { positions in
          zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
        }
        guard isOrderly, (deletions + modifications).allSatisfy(before.indices.contains),
          insertions.allSatisfy(now.indices.contains),
          Set(deletions).isDisjoint(with: modifications)
        else { return report("positions of \(before)") }
        if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty, !before.isEmpty {
          report("an empty change")
        }
        for position in deletions.reversed() { array.remove(at: position) }
        for position in insertions {
          guard position <= array.count else { return report("insertions into \(before)") }
          array.insert(now[position], at: position)
        }
        // Values that were replaced are modified in their place.
        if let new = change.modificationsInNewVersion, array.count == now.count {
          for position in new { array[position] = now[position] }
        }
        if array != now { report("\(before) became \(array)") }
        // Elements that aren't reported as modified must be unchanged.
        let silent = Set(before.indices).subtracting(deletions).subtracting(modifications).sorted()
        let others = Set(now.indices).subtracting(insertions)
          .subtracting(change.modificationsInNewVersion ?? []).sorted()
        for (old, new) in zip(silent, others) where oldContents[old] != knownContents[new] {
          report("\(old) changed silently from \(oldContents[old]) to \(knownContents[new])")
        }
      case .error(let error): report("\(error)")
      }
    }
    tokens.append(token)
  }

  private func observeMap(_ node: Node) {
    var known: [String: Int?] = [:]
    let title = "map of \(node.id)"
    let token = node.byKey.observe(on: queue) { [heard] change in
      func contents(_ map: Map<String, Node?>) -> [String: Int?] {
        Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value?.id) })
      }
      switch change {
      case .initial(let map): known = contents(map)
      case .update(let map, let deletions, let insertions, let modifications):
        let now = contents(map)
        var entries = known
        for key in deletions where entries.removeValue(forKey: key) == nil {
          heard.add("\(title): '\(key)' was deleted, and not there")
        }
        for key in insertions {
          if entries[key] != nil { heard.add("\(title): '\(key)' was inserted twice") }
          entries[key] = now[key]
        }
        for key in modifications { entries[key] = now[key] }
        if entries != now { heard.add("\(title): \(known) became \(entries), not \(now)") }
        known = now
      case .error(let error): heard.add("\(title): \(error)")
      }
    }
    tokens.append(token)
  }

  // MARK: Changes

  private func some() -> Node? { realm.objects(Node.self).randomElement(using: &random) }

  private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private func add() {
    nextID += 1
    realm.create(
      Node.self,
      value: [
        "id": nextID, "rank": number(12), "name": ["a", "b", "c", nil][number(4)] as Any,
      ] as [String: Any])
  }

  private func change() {
    guard let node = some() else { return add() }
    switch number(20) {
    case 0, 1: add()
    case 2: node.rank = number(12)
    case 3: node.name = ["a", "b", "c", nil][number(4)]
    case 4: realm.delete(node)
    case 5: node.next = number(3) == 0 ? nil : some()
    case 6: node.part = number(3) == 0 ? nil : NodePart(value: ["size": number(9)])
    case 7: node.part?.size += 1
    case 8: node.tags.insert(number(6))
    case 9: node.tags.remove(number(6))
    case 10: change(node.others)
    case 11: node.byKey[["x", "y", "z"][number(3)]] = number(3) == 0 ? .some(nil) : some()
    case 12: node.byKey.removeObject(for: ["x", "y", "z"][number(3)])
    case 13, 14, 15, 16: edit(node.nodes) { self.some() }
    default: edit(node.numbers) { self.number(5) }
    }
  }

  private func change(_ set: MutableSet<Node>) {
    guard let other = some() else { return }
    if number(2) == 0 { set.insert(other) } else { set.remove(other) }
  }

  private func edit<Element>(_ list: List<Element>, _ make: () -> Element?) {
    guard let element = make() else { return }
    switch number(7) {
    case 0, 1: list.append(element)
    case 2: list.insert(element, at: number(list.count + 1))
    case 3 where !list.isEmpty: list.remove(at: number(list.count))
    case 4 where !list.isEmpty: list[number(list.count)] = element
    case 5 where !list.isEmpty: list.move(from: number(list.count), to: number(list.count))
    case 6 where number(4) == 0: list.removeAll()
    default: list.append(objectsIn: [element, element])
    }
  }

  private struct Cancelled: Error {}

  private func rollBack() throws {
    try realm.write {
      change()
      change()
      throw Cancelled()
    }
  }

  private func writeAsAnotherProcess() throws {
    let (id, rank) = (number(max(nextID, 1)) + 1, number(12))
    let sql = [
      "UPDATE Node SET rank = \(rank) WHERE id = \(id)",
      "DELETE FROM Node WHERE id = \(id)",
      "UPDATE Node SET name = 'b' WHERE rank = \(rank)",
      "DELETE FROM Node_numbers WHERE value = \(number(5))",
      "UPDATE Node_nodes SET position = position * 3 + 100",
      "UPDATE Node SET next = NULL WHERE rank < \(rank)",
    ][number(6)]
    if number(2) == 0 {
      try realm.write { try realm.withDatabase { try $0.execute(sql: sql) } }
    } else {
      try folder.execute(sql)
    }
  }
}
