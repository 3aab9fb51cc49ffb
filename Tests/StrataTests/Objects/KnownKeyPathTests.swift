import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The cache of key paths by address.
struct KnownKeyPathTests {
  final class Owner: Object {
    @Persisted var name = ""
    @Persisted var dog: Dog?
  }

  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }

  private func composed<Value>(_ end: KeyPath<Dog, Value>) -> PartialKeyPath<Owner> {
    let link: KeyPath<Owner, Dog?> = \.dog
    return link.appending(path: \.self!).appending(path: end)
  }

  @Test func `A literal has the same answer each time`() {
    for _ in 0..<10 {
      expectEqual(keyPathString(of: \Owner.name), "name")
      expectEqual(keyPathString(of: \Owner.dog?.age), "dog.age")
    }
  }

  @Test func `Key paths that are made one after another at the same address are told apart`() {
    for number in 0..<2_000 {
      let expected = number.isMultiple(of: 2) ? "dog.name" : "dog.age"
      let keyPath = number.isMultiple(of: 2) ? composed(\Dog.name) : composed(\Dog.age)
      expectEqual(keyPathString(of: keyPath), expected)
    }
  }

  @Test func `Key paths to equal properties of two classes are told apart`() {
    for _ in 0..<4 {
      expectEqual(persistedPath(of: \Owner.name)?.properties.map(\.name), ["name"])
      expectEqual(persistedPath(of: \Dog.name)?.properties.map(\.name), ["name"])
      expectNil(persistedPath(of: \Owner.name.count))
    }
  }
}
