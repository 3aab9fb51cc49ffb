import Foundation
import RealmSwift

/// The address book of one user, as an app keeps it.
final class AddressBook {
  static let classes: [ObjectBase.Type] = [
    Contact.self, ContactGroup.self, Phone.self, PostalAddress.self,
  ]

  let realm: Realm
  private var tokens: [NotificationToken] = []

  init(fileURL: URL) throws {
    realm = try Realm(configuration: AddressBook.configuration(fileURL))
  }

  deinit {
    tokens.forEach { $0.invalidate() }
  }

  /// Version 1 had one name; version 2 has two.
  static func configuration(_ fileURL: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: fileURL,
      schemaVersion: 2,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 2 {
          migration.enumerateObjects(ofType: Contact.className()) { oldObject, newObject in
            let name = oldObject!["name"] as! String
            let words = name.split(separator: " ", maxSplits: 1).map(String.init)
            newObject!["firstName"] = words.first ?? ""
            newObject!["lastName"] = words.count > 1 ? words[1] : ""
          }
        }
      },
      objectTypes: classes)
  }

  // MARK: Contacts

  var contacts: Results<Contact> {
    realm.objects(Contact.self).sorted(by: [
      SortDescriptor(keyPath: "lastName"), SortDescriptor(keyPath: "firstName"),
    ])
  }

  var favorites: Results<Contact> {
    contacts.where { $0.isFavorite == true }
  }

  @discardableResult
  func add(_ firstName: String, _ lastName: String, city: String? = nil) throws -> Contact {
    let contact = Contact(firstName, lastName)
    if let city {
      contact.address = PostalAddress(value: ["city": city])
    }
    try realm.write {
      realm.add(contact)
    }
    return contact
  }

  func importContacts(_ values: [[String: Any]]) throws -> Int {
    realm.beginWrite()
    for value in values {
      realm.create(Contact.self, value: value, update: .modified)
    }
    try realm.commitWrite()
    return values.count
  }

  func addPhone(_ number: String, _ kind: PhoneKind, to contact: Contact) throws {
    try realm.write {
      let phone = Phone()
      phone.number = number
      phone.kind = kind
      contact.phones.append(phone)
    }
  }

  func search(_ text: String) -> Results<Contact> {
    contacts.filter(
      "firstName CONTAINS[cd] %@ OR lastName CONTAINS[cd] %@ OR ANY emails CONTAINS[c] %@",
      text, text, text)
  }

  func contacts(in city: String) -> Results<Contact> {
    contacts.where { $0.address.city == city }
  }

  func reachable(by kind: PhoneKind) -> [String] {
    contacts.where { $0.phones.kind == kind }.map { $0.fullName }
  }

  func marry(_ first: Contact, _ second: Contact) throws {
    try realm.write {
      first.partner = second
      second.partner = first
    }
  }

  func delete(_ contact: Contact) throws {
    try realm.write {
      realm.delete(contact)
    }
  }

  // MARK: Groups

  func group(_ name: String) throws -> ContactGroup {
    if let group = realm.object(ofType: ContactGroup.self, forPrimaryKey: name) {
      return group
    }
    return try realm.write {
      realm.create(ContactGroup.self, value: ["name": name])
    }
  }

  func put(_ contact: Contact, in name: String) throws {
    let group = try group(name)
    guard !group.members.contains(contact) else { return }
    try realm.write {
      group.members.append(contact)
    }
  }

  func letters() -> [String] {
    let sections = realm.objects(Contact.self).sectioned(
      by: { String($0.lastName.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "lastName")])
    return sections.map { section in
      "\(section.key): \(section.map(\.fullName).joined(separator: ", "))"
    }
  }

  // MARK: Observing

  func onChange(_ report: @escaping (String) -> Void) {
    let token = contacts.observe { changes in
      switch changes {
      case .initial(let contacts):
        report("\(contacts.count) contacts")
      case .update(_, let deletions, let insertions, let modifications):
        report("-\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error):
        report("\(error)")
      }
    }
    tokens.append(token)
  }

  func onRename(of contact: Contact, _ report: @escaping (String) -> Void) {
    let token = contact.observe(keyPaths: [\.firstName, \.lastName]) { change in
      switch change {
      case .change(_, let properties):
        for property in properties {
          report("\(property.name): \(property.oldValue ?? "") -> \(property.newValue ?? "")")
        }
      case .deleted:
        report("deleted")
      case .error(let error):
        report("\(error)")
      }
    }
    tokens.append(token)
  }

  /// Adds contacts from another task, as an import from a server does.
  static func importInBackground(_ names: [String], fileURL: URL) async throws {
    try await Task.detached {
      let realm = try Realm(configuration: configuration(fileURL))
      try realm.write {
        for name in names {
          realm.add(Contact("Guest", name))
        }
      }
    }.value
  }
}
