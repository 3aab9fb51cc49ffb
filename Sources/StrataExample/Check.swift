import Strata

/// Compares the people of a migrated file with the typed entries, one by one and in order.
///
/// - Parameter hasEmails: Whether the file had email addresses before.
/// - Returns: The problems; empty if all is well.
func problems(in people: Results<Newest.Person>, hasEmails: Bool) -> [String] {
  let expected = People.resolved
  var problems: [String] = []
  if people.count != expected.count {
    problems.append("There are \(people.count) people instead of \(expected.count).")
  }
  let ids = Set(people.map(\.id))
  if ids.count != people.count {
    problems.append("There are \(people.count) people, and only \(ids.count) different ids.")
  }
  for (index, (person, entry)) in zip(people, expected).enumerated() {
    func compare(_ property: String, _ value: String?, _ expected: String?) {
      // Compared by bytes: in Swift, the composed and the decomposed "é" are equal.
      guard value.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) else { return }
      problems.append(
        "Row \(index): \(property) is \(value ?? "nil") instead of \(expected ?? "nil").")
    }
    compare("id", "\(person.id)", "\(entry.id)")
    compare("fullName", person.fullName, entry.fullName)
    compare("yearsSinceBirth", person.yearsSinceBirth, "\(entry.age)")
    compare("email", person.email, hasEmails ? entry.email : nil)
  }
  return problems
}

/// - Throws: ``Failure`` with the first problems, if there are any.
func check(_ people: Results<Newest.Person>, hasEmails: Bool, file: String) throws {
  let problems = problems(in: people, hasEmails: hasEmails)
  guard !problems.isEmpty else { return }
  let more = problems.count > 5 ? "\n  … and \(problems.count - 5) more" : ""
  let lines = problems.prefix(5).map { "\n  \($0)" }.joined()
  throw Failure("\(file) differs from the expected contents after the migration:\(lines)\(more)")
}
