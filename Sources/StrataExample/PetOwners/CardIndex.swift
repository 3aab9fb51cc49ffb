/// A card in the box of the veterinarian whose program this is.
struct Card {
  var firstName: String
  var lastName: String
  var age: Int
  var pets: [Animal] = []
  var address: Place?

  var fullName: String { "\(firstName) \(lastName)" }

  struct Animal {
    var name: String
    var kind: String
  }

  struct Place {
    var street: String
    var city: String
  }
}

/// The paper cards from before the program, which are looked up when the program learns
/// something new: the first versions knew of no pets, and the next ones of no addresses.
enum CardIndex {
  static let cards = [
    Card(
      firstName: "Ines", lastName: "Duarte", age: 34,
      pets: [
        Card.Animal(name: "Bruno", kind: "dog"), Card.Animal(name: "Kiwi", kind: "bird"),
      ],
      address: Card.Place(street: "7 Quay Street", city: "Porto")),
    Card(
      firstName: "Tomas", lastName: "Lind", age: 51,
      pets: [Card.Animal(name: "Mochi", kind: "cat")]),
    Card(firstName: "Noor", lastName: "Haddad", age: 8),
  ]

  /// The animals without an owner.
  static let strays = [Card.Animal(name: "Rusty", kind: "dog")]

  /// The addresses without residents.
  static let formerAddress = Card.Place(street: "12 Mill Lane", city: "Aveiro")

  static func card(of fullName: String?) -> Card? { cards.first { $0.fullName == fullName } }

  static func kind(of name: String) -> String? {
    (cards.flatMap(\.pets) + strays).first { $0.name == name }?.kind
  }
}
