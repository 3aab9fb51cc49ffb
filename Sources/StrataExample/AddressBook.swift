import Foundation
import Strata

/// Shared by the versions of the address book: the example treats them alike.
///
/// A program has only one version of its classes, the newest. Here all of them are together, so
/// each is in an enum of its own, and each configuration says which classes it means.
protocol AddressBook {
  associatedtype Person: Object

  /// The configuration that opens a file of this version, or of any older one.
  static func configuration(_ file: URL) -> Realm.Configuration

  /// An entry of the paper lists as an object of this version, not yet in a file.
  static func person(_ entry: Entry) -> Person
}

/// All versions, oldest first. The position is the schema version.
var versions: [any AddressBook.Type] {
  [
    AddressBookV0.self, AddressBookV1.self, AddressBookV2.self,
    AddressBookV3.self, AddressBookV4.self, AddressBookV5.self,
  ]
}

/// The version that the program is at.
typealias Newest = AddressBookV5

extension AddressBook {
  /// Creates a file of this version with all people in it.
  static func write(_ entries: [Entry], to file: URL) throws {
    let realm = try Realm(configuration: configuration(file))
    try realm.write {
      for entry in entries { realm.add(person(entry)) }
    }
  }

  /// Opens a file of this version, or an older one, and summarises it.
  @discardableResult
  static func describe(_ file: URL) throws -> Summary {
    let realm = try Realm(configuration: configuration(file))
    let people = realm.objects(Person.self)
    return Summary(
      schema: realm.schema[Person.className()], count: people.count,
      highestID: people.max(ofProperty: "id") ?? 0)
  }
}

struct Summary {
  var schema: ObjectSchema?
  var count: Int
  var highestID: Int
}
