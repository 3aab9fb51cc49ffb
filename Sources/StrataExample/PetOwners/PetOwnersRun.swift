import Foundation
import Strata

/// Brings a file of each version to the newest one, prints what became of it, and checks it.
func migratePetOwners(_ files: [URL]) throws {
  print("\nPeople and their pets")
  for file in files {
    let oldVersion = try schemaVersionAtURL(file)
    let realm = try Realm(configuration: PetOwnersV5.configuration(file))
    let name = file.lastPathComponent
    print("\n\(name): version \(oldVersion) → \(try schemaVersionAtURL(file))")
    let lines = lines(of: realm)
    for line in lines { print("  \(line)") }
    let expected = expectedLines()
    guard lines == expected else {
      throw Failure(
        "\(name) differs from the expected contents after the migration:\n  "
          + expected.joined(separator: "\n  "))
    }
  }
}

/// The contents of a file of the newest version.
private func lines(of realm: Realm) -> [String] {
  let people = realm.objects(PetOwnersV5.Person.self)
  let pets = realm.objects(PetOwnersV5.Pet.self)
  func text(_ pet: PetOwnersV5.Pet) -> String { "\(pet.name) (\(pet.kind.rawValue))" }
  func owner(of pet: PetOwnersV5.Pet) -> PetOwnersV5.Person? {
    people.first { $0.pets.contains(pet) }
  }
  var lines = ["\(people.count) people, \(pets.count) pets: \(list(pets.map(text)))"]
  for person in people {
    lines.append("\(person.fullName), \(person.age): \(list(person.pets.map(text)))")
  }
  lines.append("without an owner: \(list(pets.filter { owner(of: $0) == nil }.map(text)))")
  for address in people.compactMap(\.address) {
    lines.append(
      "\(address.street), \(address.city): \(list(address.residents.map(\.fullName)))")
  }
  return lines
}

/// The expected contents, from the cards.
private func expectedLines() -> [String] {
  let cards = CardIndex.cards
  let pets = cards.flatMap(\.pets) + CardIndex.strays
  func text(_ pet: Card.Animal) -> String { "\(pet.name) (\(pet.kind))" }
  var lines = ["\(cards.count) people, \(pets.count) pets: \(list(pets.map(text)))"]
  lines += cards.map { "\($0.fullName), \($0.age): \(list($0.pets.map(text)))" }
  lines.append("without an owner: \(list(CardIndex.strays.map(text)))")
  for card in cards {
    guard let address = card.address else { continue }
    lines.append("\(address.street), \(address.city): \(card.fullName)")
  }
  return lines
}

private func list(_ items: [String]) -> String {
  items.isEmpty ? "none" : items.joined(separator: ", ")
}
