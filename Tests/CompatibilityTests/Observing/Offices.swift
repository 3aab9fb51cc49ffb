import Foundation
import Strata

/// Models of offices, with collections of objects of each kind.
enum Offices {
  static let types: [ObjectBase.Type] = [Company.self, Employee.self]

  final class Company: Object {
    @Persisted var name = ""
    @Persisted var employees: List<Employee>
    @Persisted var partners: MutableSet<Employee>
    @Persisted var desks: Map<String, Employee?>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var rooms: Map<String, Int>
    @Persisted var head: Employee?
    @Persisted var any: AnyRealmValue
  }

  final class Employee: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "head") var headed: LinkingObjects<Company>
  }

  static func employee(_ name: String) -> Employee { Employee(value: ["name": name]) }
}

/// Runs a closure on another thread, waits for it, and rethrows its error.
func elsewhere(_ body: @escaping @Sendable () throws -> Void) throws {
  let failure = Box<(any Error)?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do {
      try body()
    } catch {
      failure.value = error
    }
    done.signal()
  }
  thread.start()
  done.wait()
  if let error = failure.value { throw error }
}
