import Foundation
import TestKit

@testable import Strata

/// A collection whose elements are known at run time only.
protocol ChangeableCollection {
  /// Makes a random change with an element; returns what the collection has then.
  func change(
    _ before: ModelFile.Value, _ element: Any?, _ value: ModelFile.Value,
    _ random: inout SplitMix64
  ) -> ModelFile.Value?
}

extension List: ChangeableCollection {
  func change(
    _ before: ModelFile.Value, _ element: Any?, _ value: ModelFile.Value,
    _ random: inout SplitMix64
  ) -> ModelFile.Value? {
    guard case .list(var values) = before, let converted = fitting(element) else { return nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      append(converted)
      values.append(value)
    case 1 where !values.isEmpty:
      let index = Int.random(in: 0..<values.count, using: &random)
      remove(at: index)
      values.remove(at: index)
    case 2 where !values.isEmpty:
      let index = Int.random(in: 0..<values.count, using: &random)
      self[index] = converted
      values[index] = value
    case 3:
      removeAll()
      values = []
    case 4 where values.count > 1:
      move(from: 0, to: values.count - 1)
      values.append(values.removeFirst())
    default:
      let index = Int.random(in: 0...values.count, using: &random)
      insert(converted, at: index)
      values.insert(value, at: index)
    }
    return .list(values)
  }

  private func fitting(_ value: Any?) -> Element? { fit(value, Element.self) }
}

extension MutableSet: ChangeableCollection {
  func change(
    _ before: ModelFile.Value, _ element: Any?, _ value: ModelFile.Value,
    _ random: inout SplitMix64
  ) -> ModelFile.Value? {
    guard case .set(var values) = before, let converted = fit(element, Element.self) else {
      return nil
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      remove(converted)
      values.remove(value)
    case 1 where values.count > 2:
      removeAll()
      values = []
    default:
      insert(converted)
      values.insert(value)
    }
    return .set(values)
  }
}

extension Map: ChangeableCollection where Key == String {
  func change(
    _ before: ModelFile.Value, _ element: Any?, _ value: ModelFile.Value,
    _ random: inout SplitMix64
  ) -> ModelFile.Value? {
    guard case .map(var values) = before, let converted = fit(element, Value.self) else {
      return nil
    }
    let key = "k\(Int.random(in: 0..<5, using: &random))"
    if Int.random(in: 0..<3, using: &random) == 0 {
      removeObject(for: key)
      values[key] = nil
    } else {
      self[key] = converted
      values[key] = value
    }
    return .map(values)
  }
}

/// A value as the type of an element, which may be an optional.
private func fit<Element>(_ value: Any?, _: Element.Type) -> Element? {
  if Element.self == AnyRealmValue.self {
    return AnyRealmValue.converting(withLinks(value)) as? Element
  }
  if let value { return value as? Element }
  return Optional<Any>.none as? Element
}

/// A value for an `AnyRealmValue`, with objects of a migration as a collection takes them.
private func withLinks(_ value: Any?) -> Any? {
  switch value {
  case let object as DynamicObject: LinkInMigration(object)
  case let values as [Any?]: values.map(withLinks)
  case let values as [String: Any?]: values.mapValues(withLinks)
  default: value
  }
}
