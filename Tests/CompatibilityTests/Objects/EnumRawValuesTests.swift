import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Ratio: Double, PersistableEnum {
  case half = 0.5
  case third = 0.3
  case huge = 1e300
}
private enum Speed: Float, PersistableEnum {
  case slow = 0.1
  case fast = 99.5
}

private enum V0 {
  class Car: Object {
    @Persisted var ratio: Ratio
    @Persisted var speed = Speed.fast
    @Persisted var other: Ratio?
    @Persisted var speeds: List<Speed>
    @Persisted var ratios: MutableSet<Ratio>
    @Persisted var byName: Map<String, Speed?>
  }
}

private enum V1 {
  class Car: Object {
    @Persisted var ratio = 0.0
    @Persisted var speed: Float = 0
    @Persisted var other: Double?
    @Persisted var speeds: List<Float>
    @Persisted var ratios: MutableSet<Double>
    @Persisted var byName: Map<String, Float?>
  }
}

/// Enums whose raw values are `Float` or `Double`.
@Suite("Enums of floating point numbers") struct EnumRawValuesTests {
  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write([V0.Car.self]) { realm in
      let car = V0.Car()
      expectTrue(car.ratio == .half && car.speed == .fast && car.other == nil)
      car.ratio = .third
      car.speed = .slow
      car.other = .huge
      car.speeds.append(objectsIn: [.fast, .slow])
      car.ratios.insert(objectsIn: [.half, .huge, .half])
      car.byName["a"] = .slow
      car.byName["b"] = .some(nil)
      realm.add(car)
    }
    return file
  }

  @Test
  func `Enums of floating point numbers are read back, and known by their raw values`() throws {
    try filled().open([V0.Car.self]) { realm in
      let car = try #require(realm.objects(V0.Car.self).first)
      expectTrue(car.ratio == .third && car.speed == .slow && car.other == .huge)
      expectTrue(Array(car.speeds) == [.fast, .slow] && Set(car.ratios) == [.half, .huge])
      expectTrue(car.byName["a"] == .some(.slow) && car.byName["b"] == .some(nil))
      expectTrue(car["ratio"] as? Double == 0.3 && car["speed"] as? Float == 0.1)
      expectTrue(car.speeds.index(of: .slow) == 1 && car.ratios.contains(.huge))
      try realm.write {
        car["ratio"] = 0.5
        car["speed"] = Speed.fast
        realm.create(V0.Car.self, value: ["ratio": 1e300, "speed": Float(0.1)] as [String: Any])
      }
      expectEqual(
        realm.objects(V0.Car.self).sorted(byKeyPath: "ratio").map(\.ratio), [.half, .huge])
      expectEqual(car.objectSchema["ratio"]?.type, .double)
      expectEqual(car.objectSchema["speed"]?.type, .float)
    }
  }

  @Test func `Enums compare by their raw values`() {
    expectTrue(Ratio.third < .half && Ratio.huge > .half && Speed.slow < .fast)
    expectEqual([Ratio.huge, .half, .third].sorted(), [.third, .half, .huge])
  }

  @Test func `Enums are the same in a file as their raw values`() throws {
    try filled().open([V1.Car.self]) { realm in
      let car = try #require(realm.objects(V1.Car.self).first)
      expectTrue(car.ratio == 0.3 && car.speed == 0.1 && car.other == 1e300)
      expectEqual(Array(car.speeds), [99.5, 0.1])
    }
  }

  @Test func `A raw value without a case doesn't fit, and is reported when a file has it`() throws {
    let file = try filled()
    try file.open([V0.Car.self]) { realm in
      expectError("Invalid value '0.75' of type 'Double' for 'double' property 'Car.ratio'.") {
        try realm.write { realm.create(V0.Car.self, value: ["ratio": 0.75]) }
      }
    }
    try file.write([V1.Car.self]) { realm in realm.objects(V1.Car.self).first?.ratio = 0.75 }
    try file.open([V0.Car.self]) { realm in
      withKnownIssue { expectEqual(realm.objects(V0.Car.self).first?.ratio, .half) }
    }
  }
}
