import Foundation
import RealmSwift

/// The tasks of a team on a server: an actor owns the realm.
actor TaskList {
  static let classes: [ObjectBase.Type] = [TodoItem.self, TodoStep.self, TodoProject.self]

  private var realm: Realm!

  init(fileURL: URL) async throws {
    realm = try await Realm(configuration: TaskList.configuration(fileURL), actor: self)
  }

  /// Version 1 called the property `text`, version 2 had no priorities.
  static func configuration(_ fileURL: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(schemaVersion: 3)
    configuration.fileURL = fileURL
    configuration.objectTypes = classes
    configuration.migrationBlock = { migration, oldSchemaVersion in
      if oldSchemaVersion < 2 {
        migration.renameProperty(onType: TodoItem.className(), from: "text", to: "title")
      }
      if oldSchemaVersion < 3 {
        migration.enumerateObjects(ofType: TodoItem.className()) { _, newObject in
          let title = newObject?["title"] as? String ?? ""
          if title.hasPrefix("!") {
            newObject?["priority"] = Priority.high.rawValue
            newObject?["title"] = String(title.dropFirst())
          }
        }
        migration.create(TodoProject.className(), value: ["name": "Inbox"])
      }
    }
    return configuration
  }

  func add(
    _ title: String, to project: String, priority: Priority = .normal, minutes: Int? = nil,
    steps: [String] = []
  ) async throws -> UUID {
    try await realm.asyncWrite {
      let owner = realm.create(TodoProject.self, value: ["name": project], update: .modified)
      let item = TodoItem()
      item.title = title
      item.priority = priority
      item.minutes = minutes
      for step in steps {
        item.steps.append(TodoStep(value: ["title": step]))
      }
      owner.items.append(item)
      return item.id
    }
  }

  func finish(_ id: UUID) async throws -> Bool {
    guard let item = realm.object(ofType: TodoItem.self, forPrimaryKey: id) else { return false }
    try await realm.asyncWrite {
      item.isDone = true
      for step in item.steps { step.isDone = true }
    }
    return true
  }

  func open(in project: String) -> [String] {
    guard let project = realm.object(ofType: TodoProject.self, forPrimaryKey: project) else {
      return []
    }
    return project.openItems.map(\.title)
  }

  func move(_ id: UUID, to name: String) throws {
    try realm.write {
      guard let item = realm.object(ofType: TodoItem.self, forPrimaryKey: id) else { return }
      for project in item.project {
        if let index = project.items.index(of: item) { project.items.remove(at: index) }
      }
      let target = realm.create(TodoProject.self, value: ["name": name], update: .modified)
      target.items.insert(item, at: 0)
    }
  }

  func removeDone() throws -> Int {
    let done = realm.objects(TodoItem.self).where { $0.isDone }
    let count = done.count
    try realm.write {
      realm.delete(done)
    }
    return count
  }

  func effort() -> (minutes: Int, longest: Int?, average: Double?) {
    let open = realm.objects(TodoItem.self).where { !$0.isDone }
    return (
      open.sum(ofProperty: "minutes"), open.max(ofProperty: "minutes"),
      open.average(ofProperty: "minutes")
    )
  }

  func byPriority() -> [String] {
    let items = realm.objects(TodoItem.self).sectioned(
      by: { $0.priority.rawValue },
      sortDescriptors: [
        SortDescriptor(keyPath: "priority", ascending: false), SortDescriptor(keyPath: "title"),
      ])
    return items.map { "\($0.key): \($0.map(\.title).joined(separator: ", "))" }
  }

  /// Items whose steps are all open, and items with many steps.
  func untouched() -> [String] {
    realm.objects(TodoItem.self)
      .where { $0.steps.count > 0 && !($0.steps.isDone == true) }
      .sorted(byKeyPath: "title")
      .map(\.title)
  }

  /// Hands a project to a closure that runs elsewhere.
  func reference(to project: String) -> ThreadSafeReference<TodoProject>? {
    realm.object(ofType: TodoProject.self, forPrimaryKey: project).map {
      ThreadSafeReference(to: $0)
    }
  }

  func watch(_ report: @Sendable @escaping (String) -> Void) async -> NotificationToken {
    await realm.objects(TodoItem.self).observe(keyPaths: ["title", "isDone"], on: self) {
      _, changes in
      switch changes {
      case .initial(let items): report("\(items.count)")
      case .update(let items, let deletions, let insertions, let modifications):
        report("\(items.count): -\(deletions.count) +\(insertions.count) ~\(modifications.count)")
      case .error(let error): report("\(error)")
      }
    }
  }
}
