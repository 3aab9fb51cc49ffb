import Strata

/// Measurements with two indexed numbers: one in no order, and one in the order of the rows.
enum Readings {
  final class Reading: Object {
    @Persisted(indexed: true) var code = 0
    @Persisted(indexed: true) var stamp = 0
    @Persisted var name = ""
    @Persisted var city = ""
    @Persisted var note = ""
    @Persisted var age = 0
    @Persisted var score = 0.0
    @Persisted var price = 0
  }

  static let types: [ObjectBase.Type] = [Reading.self]

  static var base: BaseFile {
    BaseFile("readings", types) { realm, rows in
      var state: UInt64 = 1
      for index in 0..<rows {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let reading = Reading()
        reading.code = Int(state >> 33) % 1_000_000
        reading.stamp = index
        reading.name = "Name \(index &* 7_919 % 50_000)"
        reading.city = "City \(index % 500)"
        reading.note = "note \(index)"
        reading.age = index % 100
        reading.score = Double(index % 1_000) / 10
        reading.price = index % 997
        realm.add(reading)
      }
    }
  }
}
