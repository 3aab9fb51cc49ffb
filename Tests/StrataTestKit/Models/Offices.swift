package import Strata

/// Models of offices, with collections of objects of each kind.
package enum Offices {
  package static let types: [ObjectBase.Type] = [Company.self, Employee.self]

  package final class Company: Object {
    @Persisted package var name = ""
    @Persisted package var employees: List<Employee>
    @Persisted package var partners: MutableSet<Employee>
    @Persisted package var desks: Map<String, Employee?>
    @Persisted package var numbers: List<Int>
    @Persisted package var tags: MutableSet<String>
    @Persisted package var rooms: Map<String, Int>
    @Persisted package var head: Employee?
    @Persisted package var any: AnyRealmValue
  }

  package final class Employee: Object {
    @Persisted package var name = ""
    @Persisted package var age = 0
    @Persisted(originProperty: "head") package var headed: LinkingObjects<Company>
  }

  package static func employee(_ name: String) -> Employee { Employee(value: ["name": name]) }
}
