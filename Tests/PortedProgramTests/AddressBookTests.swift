import Foundation
import RealmSwift
import Testing

@Suite struct AddressBookTests {
  let file = ProgramFile()

  private func filled() throws -> AddressBook {
    let book = try AddressBook(fileURL: file.url)
    try book.add("Grace", "Hopper", city: "New York")
    try book.add("Ada", "Lovelace", city: "London")
    try book.add("Alan", "Turing", city: "London")
    return book
  }

  @Test func `Contacts are added, found and deleted`() throws {
    let book = try filled()
    #expect(book.contacts.map(\.lastName) == ["Hopper", "Lovelace", "Turing"])
    #expect(book.contacts(in: "London").count == 2)
    let ada = book.contacts[1]
    try book.realm.write {
      ada.emails.append(objectsIn: ["ada@example.org", "countess@example.org"])
      ada.isFavorite = true
      ada.tags.insert("mathematics")
      ada.notes["since"] = .int(1833)
      ada.notes["source"] = .string("letters")
    }
    #expect(book.search("COUNTESS").map(\.firstName) == ["Ada"])
    #expect(book.search("tur").first?.fullName == "Alan Turing")
    #expect(book.favorites.count == 1)
    #expect(ada.notes["since"]?.intValue == 1833)
    try book.addPhone("555-1", .work, to: ada)
    try book.addPhone("555-2", .home, to: book.contacts[2])
    #expect(book.reachable(by: .work) == ["Ada Lovelace"])
    try book.delete(ada)
    #expect(ada.isInvalidated)
    #expect(book.realm.objects(Contact.self).count == 2)
    #expect(book.reachable(by: .work).isEmpty)
  }

  @Test func `An import changes what is there`() throws {
    let book = try filled()
    let grace = book.contacts[0]
    let count = try book.importContacts([
      ["_id": grace._id, "firstName": "Rear Admiral"],
      [
        "_id": ObjectId.generate(), "firstName": "Edsger", "lastName": "Dijkstra",
        "emails": ["e@w.nl"],
      ],
    ])
    #expect(count == 2)
    #expect(grace.fullName == "Rear Admiral Hopper")
    #expect(book.contacts.first?.emails.first == "e@w.nl")
    #expect(
      book.realm.objects(ContactRow.self).filter("lastName = 'Hopper'").first?.city == "New York")
  }

  @Test func `Groups, links and letters`() throws {
    let book = try filled()
    let (grace, ada) = (book.contacts[0], book.contacts[1])
    try book.put(ada, in: "Friends")
    try book.put(grace, in: "Friends")
    try book.put(ada, in: "Friends")
    #expect(try book.group("Friends").members.map(\.firstName) == ["Ada", "Grace"])
    #expect(ada.groups.first?.name == "Friends")
    try book.marry(grace, ada)
    #expect(grace.partner?.partner?._id == grace._id)
    #expect(book.letters() == ["H: Grace Hopper", "L: Ada Lovelace", "T: Alan Turing"])
    #expect(book.contacts.distinct(by: ["address.city"]).count == 2)
  }

  @Test func `Observers hear of own and of other changes`() async throws {
    let book = try filled()
    var heard: [String] = []
    var renamed: [String] = []
    let ada = book.contacts[1]
    book.onChange { heard.append($0) }
    book.onRename(of: ada) { renamed.append($0) }
    book.realm.refresh()
    try book.realm.write { ada.lastName = "King" }
    book.realm.refresh()
    try await AddressBook.importInBackground(["Zuse"], fileURL: file.url)
    book.realm.refresh()
    #expect(heard == ["3 contacts", "-[] +[] ~[1]", "-[] +[3] ~[]"])
    #expect(renamed == ["lastName: Lovelace -> King"])
  }

  @Test func `One name becomes two`() throws {
    try FirstVersion.write(["Ada Lovelace", "Plato", "Ludwig van Beethoven"], to: file.url)
    let book = try AddressBook(fileURL: file.url)
    #expect(book.contacts.map(\.firstName) == ["Plato", "Ada", "Ludwig"])
    #expect(book.contacts.map(\.lastName) == ["", "Lovelace", "van Beethoven"])
    #expect(try schemaVersionAtURL(file.url) == 2)
  }
}

/// The program's first version, whose class has the same name.
private enum FirstVersion {
  class Contact: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
  }

  static func write(_ names: [String], to url: URL) throws {
    let configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 1, objectTypes: [Contact.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for name in names { realm.create(Contact.self, value: ["name": name]) }
    }
  }
}
