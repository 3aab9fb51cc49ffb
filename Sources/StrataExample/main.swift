// Five programs: an address book and one for people and their pets, which changed five times with
// the single block of Realm, a catalogue of books with a schema migration plan (Books), one for
// people and their dogs whose file RealmSwift wrote (OutOfRealm), and one that takes orders, whose
// old release goes on while the new one migrates the file (TwoReleases). Of the first two each
// version is in a file of its own, from AddressBookV0.swift to AddressBookV5.swift and from
// PetOwners/PetOwnersV0.swift to PetOwnersV5.swift; read them in this order.
//
//   swift run StrataExample                           migrates a file of each version
//   swift run StrataExample write-fixtures <folder>   writes such files
//   swift run StrataExample watch <file>              shows the people of such a file of PetOwners,
//                                                     and follows what other programs write to it
//   swift run StrataExample take-orders <file>        writes an order for each line of the input

import Foundation
import Strata

do {
  let arguments = CommandLine.arguments.dropFirst()
  if arguments.isEmpty {
    try Fixtures.addressBook.withCopies { files in
      try printHistory(files)
      for version in files.indices { try migrate(files[version], from: version) }
    }
    try Fixtures.addressBook.withCopies { files in try migrateVersionByVersion(files[0]) }
    try Fixtures.petOwners.withCopies { files in try migratePetOwners(files) }
    try await migrateBooks()
    try leaveRealm()
    try runTwoReleases()
    print("\nAll files have the expected contents.")
  } else if arguments.count == 2, arguments.first == "write-fixtures", let path = arguments.last {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try Fixtures.addressBook.write(to: folder)
    try Fixtures.petOwners.write(to: folder)
    try Fixtures.orders.write(to: folder)
  } else if arguments.count == 2, arguments.first == "watch", let path = arguments.last {
    try await watchPetOwners(URL(fileURLWithPath: path))
  } else if arguments.count == 2, arguments.first == "take-orders", let path = arguments.last {
    try takeOrders(URL(fileURLWithPath: path))
  } else {
    throw Failure("Usage: StrataExample [write-fixtures <folder> | watch <file>]")
  }
} catch {
  fflush(nil)
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

/// Prints the changes of each version, as the files record them.
func printHistory(_ files: [URL]) throws {
  print("Version history of Person")
  var previous: ObjectSchema?
  for (file, book) in zip(files, versions) {
    let version = try schemaVersionAtURL(file)
    let summary = try book.describe(file)
    let changes = Changes(from: previous, to: summary.schema)
    print("  v\(version)  \(summary.count) people  \(changes)")
    previous = summary.schema
  }
}

/// Migrates a file to the newest version, prints the result, and checks it.
func migrate(_ file: URL, from version: Int) throws {
  let oldVersion = try schemaVersionAtURL(file)
  let old = try versions[version].describe(file)

  // A program needs only this line.
  let realm = try Realm(configuration: Newest.configuration(file))
  let people = realm.objects(Newest.Person.self)

  let name = file.lastPathComponent
  print("\n\(name): version \(oldVersion) → \(try schemaVersionAtURL(file))")
  let history = try Realm.migrationHistory(at: file).map { "\($0.version) on \($0.migratedAt)" }
  print(label("history") + history.joined(separator: ", "))
  for line in Changes(from: old.schema, to: realm.schema["Person"]).lines { print(line) }
  print(label("people") + "\(old.count) → \(people.count)\(cleanUp(people, since: old))")
  printTable(people.prefix(4))
  try check(people, hasEmails: version >= 1, file: name)
  print(label("checked") + "count, order, ids, names, ages and email addresses")
}

/// Describes what the migration did so that each id belongs to one person.
func cleanUp(_ people: Results<Newest.Person>, since old: Summary) -> String {
  let deleted = old.count - people.count
  let renumbered = people.filter { $0.id > old.highestID }.count
  guard deleted + renumbered > 0 else { return "" }
  return ", \(deleted) entered twice are deleted, \(renumbered) have a new id"
}

/// Opens one file with each version in turn, as a user does who never misses a release. The outcome
/// equals a direct migration from the oldest version to the newest.
func migrateVersionByVersion(_ file: URL) throws {
  for book in versions.dropFirst().dropLast() { try book.describe(file) }
  let realm = try Realm(configuration: Newest.configuration(file))
  try check(realm.objects(Newest.Person.self), hasEmails: false, file: file.lastPathComponent)
  let path = versions.indices.map { "\($0)" }.joined(separator: " → ")
  print("\n\(file.lastPathComponent), one version after the other: \(path)")
  print(label("checked") + "the same people as in a direct migration")
}
