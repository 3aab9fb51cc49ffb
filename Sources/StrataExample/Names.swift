/// The names of the people of the example. The fixtures were written with these lists, so a change
/// here makes the check fail.
enum Names {
  /// Names that programs have trouble with, and extreme ages.
  static let lisbon: [(first: String, last: String, age: Int)] = [
    ("Ana Sofia", "Gonçalves", 34),
    ("João", "d'Almeida Brandão", 61),
    ("Sam 🎸", "Rivera", 27),
    ("Beyza", "Işık-Öztürk", 19),
    (
      "Pedro de Alcântara Francisco António João Carlos Xavier de Paula Miguel Rafael Joaquim",
      "José Gonzaga Pascoal Cipriano Serafim de Bragança e Bourbon", 66
    ),
    ("Madalena", "", 0),
    ("Ольга", "Кузнецова", 45),
    ("ליאור", "כהן", 38),
    ("美咲", "渡辺", 29),
    ("Nguyễn", "Thị Bích Ngọc", 52),
    ("Robert'); DROP TABLE Person;--", "Munroe", 18),
  ]

  /// The same for the other office.
  static let oslo: [(first: String, last: String, age: Int)] = [
    ("Åse", "Ødegård", 58),
    ("Björk", "", 40),
    ("Kari & Ola 👨‍👩‍👧‍👦", "Nordmann 🇳🇴", 41),
    // Decomposed letters of two scalars each. They must be read back unchanged.
    ("Zoe\u{308}", "Mu\u{308}ller", 23),
    ("Δήμητρα", "Παπαδοπούλου", 77),
    ("نور", "الهاشمي", 31),
    ("Adolph Blaine Charles", "Wolfeschlegelsteinhausenbergerdorff", 83),
    ("Siobhán \"Shiv\"", "O’Súilleabháin", 36),
    ("नेहा", "शर्मा", 33),
    ("서연", "김", 26),
    ("Ingeborg", "Bråthen", 103),
  ]

  static let portugueseFirst = [
    "Afonso", "Beatriz", "Catarina", "Conceição", "Diogo", "Duarte", "Estêvão", "Filipa",
    "Gonçalo", "Helena", "Inês", "Joaquim", "Leonor", "Luís", "Mafalda", "Maria João", "Martim",
    "Matilde", "Nuno", "Olívia", "Pedro", "Raúl", "Rita", "Rui", "Salomé", "Sebastião", "Simão",
    "Teresa", "Tomás", "Vicente",
  ]

  static let portugueseLast = [
    "Almeida", "Araújo", "Azevedo", "Brandão", "Cardoso", "Carvalho", "Conceição", "Coutinho",
    "da Silva", "de Sousa", "dos Santos", "Esteves", "Fernandes", "Figueiredo", "Fonseca",
    "Guimarães", "Lourenço", "Magalhães", "Martins", "Matos", "Mendonça", "Moura e Sá", "Neves",
    "Pereira", "Pinheiro", "Queirós", "Ribeiro", "Simões", "Teixeira", "Valadão",
  ]

  static let norwegianFirst = [
    "Aksel", "Anne-Grete", "Bjørn", "Dagny", "Eirik", "Elin", "Frøydis", "Gro", "Håkon", "Hedda",
    "Henrik", "Ingrid", "Jørgen", "Jan Erik", "Kåre", "Kjersti", "Lars", "Liv", "Magnus", "Marit",
    "Nils", "Odd", "Pål", "Ragnhild", "Sigrid", "Solveig", "Sølvi", "Terje", "Trond", "Øyvind",
  ]

  static let norwegianLast = [
    "Aasen", "Andersen", "Bakke", "Berg", "Bjørnstad", "Dahl", "Eide", "Engebretsen", "Fjellanger",
    "Frøland", "Grønvold", "Hagen", "Halvorsen", "Haugen", "Håland", "Iversen", "Jørgensen",
    "Kristiansen", "Lien", "Løkken", "Moen", "Myhre", "Nygård", "Næss", "Olsen", "Ruud", "Sæther",
    "Solberg", "Strømme", "Østby",
  ]
}
