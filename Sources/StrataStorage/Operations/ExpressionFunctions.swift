import GRDB
import StrataSchema
import Synchronization

/// The functions for expressions, on a connection.
struct ExpressionFunctions {
  private final class Memory: Sendable {
    let failure = Mutex<TransformFunction.Failure?>(nil)
  }

  private let memory: Memory
  private let functions: [DatabaseFunction]

  init() {
    let memory = Memory()
    self.memory = memory
    functions = TransformFunction.all.map { function in
      DatabaseFunction(
        function.name, argumentCount: function.argumentCount, pure: true
      ) { arguments in
        do throws(TransformFunction.Failure) {
          return try function.value(arguments.map { StoredValue($0) }).forDatabase
        } catch {
          memory.failure.withLock { $0 = error }
          throw DatabaseError(message: error.text)
        }
      }
    }
  }

  func add(to db: Database) {
    for function in functions { db.add(function: function) }
  }

  func remove(from db: Database) {
    for function in functions { db.remove(function: function) }
  }

  /// Returns the last failure since the previous call; nil if missing.
  func takeFailure() -> TransformFunction.Failure? {
    memory.failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }
}
