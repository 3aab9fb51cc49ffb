import Foundation
import RealmSwift

enum Priority: Int, PersistableEnum {
  case low = 1
  case normal, high
}

class TodoItem: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var title = ""
  @Persisted var priority = Priority.normal
  @Persisted var isDone = false
  @Persisted var due: Date?
  @Persisted var minutes: Int?
  @Persisted var steps: List<TodoStep>
  @Persisted(originProperty: "items") var project: LinkingObjects<TodoProject>
}

class TodoStep: EmbeddedObject {
  @Persisted var title = ""
  @Persisted var isDone = false
}

class TodoProject: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var color: String?
  @Persisted var items: List<TodoItem>

  var openItems: Results<TodoItem> {
    items.where { $0.isDone == false }.sorted(by: \.priority, ascending: false)
  }
}
