/// The names of files of classes: such as every system takes, each of them once.
///
/// A class may be called `a/b`, beside one that is called `a_b`; and some systems take `A` and `a`
/// for the same name.
struct ClassFileNames {
  private var taken: Set<String> = []

  /// The name of the file of the next class, without an extension.
  mutating func next(_ className: String) -> String {
    let plain = Self.short(
      String(
        className.map { character in
          character.isLetter || character.isNumber || "_-".contains(character) ? character : "_"
        }))
    var name = plain
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return name
  }

  /// A name that has room for what programs put around it: most systems take 255 bytes.
  private static func short(_ name: String) -> String {
    var name = name
    while name.utf8.count > longest { name.removeLast() }
    return name
  }

  private static let longest = 180
}
