import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("A loop over results that change meanwhile")
struct IteratingTests {
  class Counter: Object {
    @Persisted var count = 0
  }

  /// Runs a loop that begins a transaction at its tenth object, and returns what it saw.
  private func loop(
    over objects: Results<Counter>, inTransaction change: () -> Void,
    _ body: (Counter) -> Void = { _ in }
  ) throws -> [Int] {
    let realm = try #require(objects.realm)
    var counts: [Int] = []
    for counter in objects {
      if counts.count == 10 {
        realm.beginWrite()
        change()
      }
      if counts.count >= 10 { body(counter) }
      counts.append(counter.count)
    }
    try realm.commitWrite()
    return counts
  }

  private func withCounters(_ body: (Results<Counter>) throws -> Void) throws {
    try TestFolder().open([Counter.self]) { realm in
      try realm.write { for _ in 0..<1_000 { realm.create(Counter.self) } }
      try body(realm.objects(Counter.self))
    }
  }

  @Test func `A loop that goes on in a transaction shows what the transaction changed`() throws {
    try withCounters { objects in
      let counts = try loop(over: objects) { for counter in objects { counter.count += 1 } }
      expectEqual(counts, Array(repeating: 0, count: 10) + Array(repeating: 1, count: 990))
    }
  }

  @Test func `A loop that goes on in a transaction adds to what the transaction changed`() throws {
    try withCounters { objects in
      let counts = try loop(
        over: objects, inTransaction: { objects.setValue(1, forKey: "count") },
        { $0.count += 1 })
      expectEqual(counts, Array(repeating: 0, count: 10) + Array(repeating: 2, count: 990))
      expectEqual(objects.sum(of: \.count), 10 + 2 * 990)
    }
  }

  class Task: Object {
    @Persisted var number = 0
    @Persisted var isOpen = true
    @Persisted var priority = 0
    @Persisted var project: Task?
    @Persisted(originProperty: "project") var tasks: LinkingObjects<Task>
  }

  enum Found: CaseIterable {
    case openTasks, tasksOfProject, openTasksOfProject

    func objects(_ project: Task) -> AnySequence<Task> {
      switch self {
      case .openTasks: AnySequence(project.realm!.objects(Task.self).where(\.isOpen))
      case .tasksOfProject: AnySequence(project.tasks)
      case .openTasksOfProject: AnySequence(project.tasks.where(\.isOpen))
      }
    }
  }

  /// More than a loop reads at once.
  @Test(arguments: Found.allCases, [false, true])
  func `A loop goes over what was found when it began, whatever is found meanwhile`(
    found: Found, isInTransaction: Bool
  ) throws {
    try TestFolder().open([Task.self]) { realm in
      let project = try realm.write {
        let project = realm.create(Task.self, value: ["number": -1, "isOpen": false])
        for number in 0..<600 {
          let task = realm.create(Task.self, value: ["number": number])
          task.isOpen = number.isMultiple(of: 2)
          task.project = task.isOpen ? project : nil
        }
        return project
      }
      let change = {
        for task in realm.objects(Task.self) where task.number > 300 {
          task.isOpen.toggle()
          task.project = task.isOpen ? project : nil
        }
      }
      if isInTransaction { realm.beginWrite() }
      var numbers: [Int] = []
      for task in found.objects(project) {
        numbers.append(task.number)
        expectEqual(task.isOpen, (numbers.count <= 10 || task.number <= 300))
        guard numbers.count == 10 else { continue }
        if isInTransaction { change() } else { try realm.write(change) }
      }
      if isInTransaction { try realm.commitWrite() }
      expectEqual(numbers, Array(stride(from: 0, to: 600, by: 2)))
    }
  }

  enum Order: CaseIterable {
    case openTasks, everyTask, oneOfTen, tasksOfProject, backwards, ofList

    func objects(_ project: Project) -> Results<Task> {
      let tasks = project.realm!.objects(Task.self)
      return switch self {
      case .openTasks: tasks.where(\.isOpen)
      case .everyTask: tasks.where { $0.number >= 0 }
      case .oneOfTen: tasks.where { $0.number.in(Array(stride(from: 0, to: 1_000, by: 10))) }
      case .tasksOfProject: project.tasks.where(\.isOpen)
      case .backwards: tasks.sorted(byKeyPath: "number", ascending: false)
      case .ofList: project.tasks.sorted(byKeyPath: "isOpen")
      }
    }
  }

  class Project: Object {
    @Persisted var tasks: List<Task>
  }

  /// Rows are read many at a time, and in other ways where they lie close together.
  @Test(arguments: Order.allCases, [false, true])
  func `A loop leaves out what was deleted before it came there, and keeps each object apart`(
    order: Order, keepsObjects: Bool
  ) throws {
    try TestFolder().open([Project.self, Task.self]) { realm in
      let project = try realm.write {
        let project = realm.create(Project.self)
        for number in 0..<1_000 {
          let task = realm.create(
            Task.self, value: ["number": number, "isOpen": !number.isMultiple(of: 3)])
          project.tasks.append(task)
          if number.isMultiple(of: 7) { project.tasks.append(task) }
        }
        return project
      }
      let objects = order.objects(project)
      let found = objects.map(\.number)
      let deleted = Set(found.dropFirst(150).prefix(400) + found.filter { $0.isMultiple(of: 5) })
        .subtracting(found.prefix(140))
      var (numbers, kept): ([Int], [Task]) = ([], [])
      try realm.write {
        for task in objects {
          numbers.append(task.number)
          if keepsObjects { kept.append(task) }
          task.priority += 1
          guard numbers.count == 5 else { continue }
          realm.delete(realm.objects(Task.self).where { $0.number.in(Array(deleted)) })
        }
      }
      let expected = found.filter { !deleted.contains($0) }
      expectEqual(numbers, expected)
      if keepsObjects { expectEqual(kept.map(\.number), expected) }
      let times = Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +)
      for task in realm.objects(Task.self) {
        expectEqual(task.priority, times[task.number, default: 0])
      }
    }
  }
}
