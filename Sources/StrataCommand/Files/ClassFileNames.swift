/// The names of files of classes: such as every system takes, each of them once.
///
/// A class may be called `a/b`, beside one that is called `a_b`; and some systems take `A` and `a`
/// for the same name.
struct ClassFileNames {
  private var taken: Set<String> = []

  /// The name of the file of the next class, without an extension.
  mutating func next(_ className: String) -> String {
    let plain = String(
      className.map { character in
        character.isLetter || character.isNumber || "_-".contains(character) ? character : "_"
      })
    var name = plain
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return name
  }
}
