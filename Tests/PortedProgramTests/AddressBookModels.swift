import Foundation
import RealmSwift

enum PhoneKind: String, PersistableEnum {
  case home, work, mobile
}

class Phone: EmbeddedObject {
  @Persisted var kind = PhoneKind.mobile
  @Persisted var number = ""
}

class PostalAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
  @Persisted var country: String?
}

class Contact: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var lastName = ""
  @Persisted var firstName = ""
  @Persisted var born: Date?
  @Persisted var isFavorite = false
  @Persisted var emails: List<String>
  @Persisted var phones: List<Phone>
  @Persisted var address: PostalAddress?
  @Persisted var tags: MutableSet<String>
  @Persisted var notes: Map<String, AnyRealmValue>
  @Persisted var partner: Contact?
  @Persisted(originProperty: "members") var groups: LinkingObjects<ContactGroup>

  convenience init(_ firstName: String, _ lastName: String) {
    self.init()
    self.firstName = firstName
    self.lastName = lastName
  }

  var fullName: String { "\(firstName) \(lastName)" }
}

class ContactGroup: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var members: List<Contact>
}

class ContactRow: Projection<Contact> {
  @Projected(\Contact.firstName) var firstName
  @Projected(\Contact.lastName) var lastName
  @Projected(\Contact.address?.city) var city
}
