import StrataTestKit
import Foundation
import Strata
import TestKit
import Testing

#if !canImport(Darwin)
  /// The arguments of a predicate, which only the predicate retains.
  @Suite struct PredicateLifetimeTests {
    private func configuration() -> Realm.Configuration {
      Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: [Q.Person.self] + Q.types)
    }

    private func find(_ configuration: Realm.Configuration) throws -> (wasEmpty: Bool, found: Int) {
      let realm = try Realm(configuration: configuration)
      let wasEmpty = realm.isEmpty
      try realm.write {
        realm.add(Q.Person(value: ["id": 1, "dog": Q.Dog(value: ["name": "Rex"])]))
      }
      let dog = try #require(realm.objects(Q.Dog.self).first)
      let predicate = NSPredicate(format: "dog == %@", argumentArray: [dog])
      return (wasEmpty, realm.objects(Q.Person.self).filter(predicate).count)
    }

    @Test func `A realm in memory is empty again although objects of it were in a predicate`()
      throws
    {
      let configuration = configuration()
      for _ in 0..<5 {
        let (wasEmpty, found) = try find(configuration)
        expectTrue(wasEmpty && found == 1)
      }
    }

    @Test func `A predicate keeps its arguments as long as it is there`() throws {
      var dog: Q.Dog? = Q.Dog()
      weak let gone = dog
      var predicate: NSPredicate? = NSPredicate(format: "dog == %@", argumentArray: [dog as Any])
      dog = nil
      expectTrue(gone != nil && predicate != nil)
      predicate = nil
      expectNil(gone)
    }

    @Test func `The file of a realm can be deleted after a predicate with its objects`() throws {
      let folder = try TestFolder()
      let configuration = folder.configuration(Q.types)
      _ = try find(configuration)
      try expectTrue(Realm.deleteFiles(for: configuration))
    }
  }
#endif
