/// The names of the files of classes: valid in every file system, and unique.
///
/// A class may be called `a/b`, beside one that is called `a_b`. Some file systems treat `A` and
/// `a` as the same name.
struct ClassFileNames {
  private var taken: Set<String> = []

  /// Returns the name for the file of the next class, without an extension.
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

  /// Shortens a name, so that programs can add to it: most file systems allow 255 bytes.
  private static func short(_ name: String) -> String {
    var name = name
    while name.utf8.count > maxLength { name.removeLast() }
    return name
  }

  private static let maxLength = 180
}
