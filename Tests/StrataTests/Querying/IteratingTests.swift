import Strata
import StrataTestKit
import Testing

@Suite("A loop over results while another thread writes")
struct IteratingTests {
  class Person: Object {
    @Persisted var name = ""
  }

  @Test func `A loop continues with what is there by then, and adds nothing that is new`() throws {
    let folder = try TestFolder()
    try folder.open([Person.self]) { realm in
      try realm.write {
        for number in 0..<1_000 { realm.create(Person.self, value: ["name": "\(number)"]) }
      }
      var names: [String] = []
      for person in realm.objects(Person.self) {
        names.append(person.name)
        guard names.count == 300 else { continue }
        try realm.write {
          for person in realm.objects(Person.self) where person.name.hasSuffix("5") {
            realm.delete(person)
          }
          for person in realm.objects(Person.self) { person.name += "!" }
          realm.create(Person.self, value: ["name": "new"])
        }
      }
      let rest = (0..<1_000).map { "\($0)" }.filter { !$0.hasSuffix("5") }
      #expect(names.prefix(300) == (0..<300).map { "\($0)" }[...])
      #expect(Array(names.dropFirst(300)) == rest.suffix(from: 270).map { $0 + "!" })
      #expect(realm.objects(Person.self).count == rest.count + 1)
    }
  }
}
