import Foundation
import Strata
import StrataSwiftUI
import SwiftUI

// The views of docs/swiftui.md.

struct ContactsApp: App {
  private let configuration = Realm.Configuration(
    schemaVersion: 2, objectTypes: [Contact.self, Phone.self])

  var body: some Scene {
    WindowGroup {
      StartView().environment(\.realmConfiguration, configuration)
    }
  }
}

struct StartView: View {
  @AsyncOpen var opening

  var body: some View {
    switch opening {
    case .connecting: ProgressView()
    case .converting(let progress): ProgressView(value: progress.fractionCompleted)
    case .migrating(let progress): ProgressView(value: progress.fractionCompleted)
    case .open: ContactsView()
    case .error(let error):
      Text("The contacts can't be opened. \(error)")
      Button("Try again") { $opening.retry() }
    }
  }
}

struct ContactsView: View {
  @ObservedResults(Contact.self, sortDescriptor: "name") var contacts
  @State private var text = ""

  var body: some View {
    NavigationStack {
      List {
        ForEach(contacts) { contact in
          NavigationLink {
            ContactView(contact: contact)
          } label: {
            ContactRow(contact: contact)
          }
        }
        .onDelete(perform: $contacts.remove)
      }
      .searchable(text: $text, collection: $contacts, keyPath: \.name, prompt: "Name")
      Button("New") { $contacts.append(Contact(value: ["name": "New contact"])) }
    }
  }
}

struct ContactRow: View {
  @ObservedRealmObject var contact: Contact

  var body: some View {
    Text(contact.name)
    Toggle("Favourite", isOn: $contact.isFavourite)
  }
}

struct ContactView: View {
  @ObservedRealmObject var contact: Contact

  var body: some View {
    Form {
      TextField("Name", text: $contact.name)
      ForEach(contact.phones) { PhoneRow(phone: $0) }
        .onDelete(perform: $contact.phones.remove)
        .onMove(perform: $contact.phones.move)
      Button("Add a phone") { $contact.phones.append(Phone()) }
      Button("Delete") { $contact.delete() }
    }
  }
}

struct PhoneRow: View {
  @ObservedRealmObject var phone: Phone

  var body: some View { TextField("Number", text: $phone.number) }
}

struct NewContactView: View {
  @StateRealmObject var contact = Contact()
  @Environment(\.realm) private var realm
  @State private var failure: String?

  var body: some View {
    TextField("Name", text: $contact.name)
    Button("Save") { save() }
    if let failure { Text(failure) }
  }

  private func save() {
    do {
      try realm.write { realm.add(contact) }
    } catch {
      failure = "\(error)"
    }
  }
}

struct IndexView: View {
  @ObservedSectionedResults(Contact.self, sectionKeyPath: \.initial, sortDescriptors: ["name"])
  var contacts

  var body: some View {
    List(contacts) { section in
      Section(section.key) {
        ForEach(section) { ContactRow(contact: $0) }
          .onDelete { $contacts.remove(atOffsets: $0, section: section) }
      }
    }
    Button("Favourites") { $contacts.where = { $0.isFavourite } }
    Button("All") { $contacts.where = nil }
  }
}

extension Realm.Configuration {
  /// A realm in memory with some contacts, for previews.
  @MainActor static let preview = {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "preview", objectTypes: [Contact.self, Phone.self])
    let realm = try! Realm(configuration: configuration)
    try! realm.write { realm.add(Contact(value: ["name": "Ada"])) }
    previewRealm = realm
    return configuration
  }()

  /// Kept, because a realm in memory is gone with its last `Realm`.
  @MainActor private static var previewRealm: Realm?
}

struct ContactsView_Previews: PreviewProvider {
  static var previews: some View {
    ContactsView().environment(\.realmConfiguration, .preview)
  }
}
