import Strata

/// People with numbers that are no keys.
enum NumberedPeople {
  final class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// A file without rows: those are what the case adds.
  static var empty: BaseFile { BaseFile("nobody", [Person.self]) { _, _ in } }
}
