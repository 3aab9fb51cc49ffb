import Foundation
import Strata
import StrataTestSupport
import Testing

/// The indexes that queries use. A condition that loses its index fails here.
@Suite struct QueryPlanTests {
  class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name: String?
    @Persisted var age = 0
    @Persisted var dog: Pet?
    @Persisted var dogs: List<Pet>
    @Persisted var tags: MutableSet<String>
    @Persisted(indexed: true) var labels: MutableSet<String?>
    @Persisted(indexed: true) var marks: List<Int>
    @Persisted(indexed: true) var scores: Map<String, Int>
    @Persisted(indexed: true) var notes: Map<String, AnyRealmValue>
  }

  class Pet: Object {
    @Persisted(indexed: true) var name: String?
    @Persisted var age = 0
    @Persisted(originProperty: "dog") var owners: LinkingObjects<Owner>
  }

  private func plan(
    _ format: String, _ change: (Results<Owner>) -> Results<Owner> = { $0 }
  ) throws -> QueryPlan {
    let configuration = Realm.Configuration(objectTypes: [Owner.self, Pet.self])
    return try withTemporaryRealm(configuration) { realm in
      let owners = realm.objects(Owner.self)
      return try change(format.isEmpty ? owners : owners.filter(validating: format)).explain()
    }
  }

  @Test(arguments: [
    "name == 'a'", "name == nil", "name <= nil", "name IN {'a', 'b', nil}",
    "name > 'a' AND name < 'b'",
    "name BEGINSWITH 'a'", "name LIKE 'a*'", "name == 'a' AND age > 3",
  ])
  func `An index finds them`(format: String) throws {
    let plan = try plan(format)
    #expect(plan.usesIndex("Owner.name") && !plan.scannedTables.contains("t"), "\(plan)")
  }

  @Test(arguments: [
    "name != 'a'", "NOT name == 'a'", "name CONTAINS 'a'", "name ENDSWITH 'a'", "name ==[c] 'a'",
    "age == 3", "NOT name BEGINSWITH 'a'",
  ])
  func `No index finds them`(format: String) throws {
    #expect(try plan(format).scannedTables.contains("t"))
  }

  @Test func `Many values are searched by the index`() throws {
    let names = (0..<100).map { "'n\($0)'" }.joined(separator: ", ")
    #expect(try plan("name IN {\(names)}").usesIndex("Owner.name"))
  }

  @Test func `The primary key finds one object`() throws {
    #expect(try plan("id == 3").scannedTables.isEmpty)
  }

  @Test func `A linked object is found first where its property is indexed`() throws {
    let plan = try plan("dog.name == 'Rex'")
    #expect(plan.usesIndex("Pet.name") && plan.scannedTables.isEmpty, "\(plan)")
  }

  @Test func `One of two conditions on different classes searches two indexes`() throws {
    let plan = try plan("name == 'a' OR dog.name == 'Rex'")
    #expect(plan.usesIndex("Owner.name") && plan.usesIndex("Pet.name"))
    #expect(plan.scannedTables.isEmpty, "\(plan)")
  }

  @Test func `An equality of elements begins with the elements`() throws {
    let plan = try plan("ANY dogs.name == 'Rex'")
    #expect(plan.usesIndex("Pet.name") && plan.scannedTables.isEmpty, "\(plan)")
  }

  @Test func `An equality of elements begins with the object where that is selective`() throws {
    let plan = try plan("name == 'a' AND ANY dogs.name == 'Rex'")
    #expect(plan.usesIndex("Owner.name"), "\(plan)")
    #expect(
      plan.steps.contains { $0.contains("CORRELATED") || $0.contains("SEARCH c1") }, "\(plan)")
  }

  @Test(arguments: [
    ("ANY labels == 'a'", "Owner_labels.elements"),
    ("ANY labels IN {'a', 'b'}", "Owner_labels.elements"),
    ("ANY marks == 3", "Owner_marks.elements"),
    ("scores['a'] == 3", "Owner_scores.elements"),
    ("scores['a'] IN {3, 4} AND age > 3", "Owner_scores.elements"),
    ("notes['a'] == 'x'", "Owner_notes.elements"),
  ])
  func `An index of the elements finds them`(format: String, index: String) throws {
    let plan = try plan(format)
    #expect(plan.usesIndex(index) && plan.scannedTables.isEmpty, "\(plan)")
  }

  @Test func `An index gives the order`() throws {
    let sorted = try plan("") { $0.sorted(byKeyPath: "name") }
    #expect(!sorted.sortsRows && sorted.usesIndex("Owner.name"), "\(sorted)")
    #expect(try plan("") { $0.sorted(byKeyPath: "age") }.sortsRows)
  }

  @Test func `The statement is shown with its constants`() throws {
    let configuration = Realm.Configuration(objectTypes: [Owner.self, Pet.self])
    try withTemporaryRealm(configuration) { realm in
      #expect(
        realm.objects(Owner.self).filter("name == %@ AND dog == nil", "it's").sql?.contains(
          #"FROM "Owner" AS t WHERE (t."name" = 'it''s' AND t."dog" IS NULL) ORDER BY t."_id" ASC"#)
          == true)
    }
  }
}
