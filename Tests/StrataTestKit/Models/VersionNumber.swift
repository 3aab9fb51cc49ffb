/// The number of a version, as a type: a generic class is another class for each.
package protocol VersionNumber {
  static var value: Int { get }
}

package struct Zero: VersionNumber { package static var value: Int { 0 } }
package struct Even<Half: VersionNumber>: VersionNumber {
  package static var value: Int { 2 * Half.value }
}
package struct Odd<Half: VersionNumber>: VersionNumber {
  package static var value: Int { 2 * Half.value + 1 }
}

/// A number that is known at run time, as a type.
package func versionNumber(_ number: Int) -> any VersionNumber {
  func append<Half: VersionNumber>(_: Half) -> any VersionNumber {
    number % 2 == 0 ? Even<Half>() : Odd<Half>()
  }
  if number == 0 { return Zero() }
  let half = versionNumber(number / 2)
  return append(half)
}
