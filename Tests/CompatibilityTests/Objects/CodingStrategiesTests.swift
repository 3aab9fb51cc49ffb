import Foundation
import Strata
import TestKit
import Testing

private class Stop: EmbeddedObject, Codable {
  @Persisted var arrivedAt = Date(timeIntervalSince1970: 0)
  @Persisted var rawBytes: Data
}

private class Trip: Object, Codable {
  @Persisted var startedAt = Date(timeIntervalSince1970: 0)
  @Persisted var endedAt: Date?
  @Persisted var allDates: List<Date>
  @Persisted var someDates: List<Date?>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var datesByName: Map<String, Date>
  @Persisted var rawBytes = Data([1, 2, 3])
  @Persisted var moreBytes: Data?
  @Persisted var byteList: List<Data>
  @Persisted var speed = 1.5
  @Persisted var speeds: List<Double>
  @Persisted var firstStop: Stop?
  @Persisted var allStops: List<Stop>
  @Persisted var nextTrip: Trip?
}

/// The coding of `@Persisted` properties, which follows the strategies of the encoder.
@Suite("Coding strategies") struct CodingStrategiesTests {
  private static let day = Date(timeIntervalSince1970: 86_400)

  private func trip() -> Trip {
    let trip = Trip()
    trip.startedAt = Self.day
    trip.endedAt = Self.day
    trip.allDates.append(Self.day)
    trip.someDates.append(objectsIn: [Self.day, nil])
    trip.dateSet.insert(Self.day)
    trip.datesByName["firstDay"] = Self.day
    trip.moreBytes = Data([4])
    trip.byteList.append(Data([5, 6]))
    trip.speeds.append(2.5)
    trip.firstStop = Stop(value: [Self.day, Data([7])] as [Any])
    trip.allStops.append(Stop(value: [Self.day, Data([8])] as [Any]))
    trip.nextTrip = Trip(value: ["startedAt": Self.day])
    return trip
  }

  private func expectSame(_ first: Trip, _ second: Trip) {
    expectTrue(first.startedAt == second.startedAt && first.endedAt == second.endedAt)
    expectEqual(Array(first.allDates), Array(second.allDates))
    expectEqual(Array(first.someDates), Array(second.someDates))
    expectEqual(Set(first.dateSet), Set(second.dateSet))
    expectEqual(first.datesByName["firstDay"], second.datesByName["firstDay"])
    expectTrue(first.rawBytes == second.rawBytes && first.moreBytes == second.moreBytes)
    expectEqual(Array(first.byteList), Array(second.byteList))
    expectEqual(first.firstStop?.arrivedAt, second.firstStop?.arrivedAt)
    expectEqual(first.firstStop?.rawBytes, second.firstStop?.rawBytes)
    expectEqual(first.allStops.map(\.arrivedAt), second.allStops.map(\.arrivedAt))
    expectEqual(first.nextTrip?.startedAt, second.nextTrip?.startedAt)
  }

  private func json(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `Dates become text with .iso8601, and are read from it`() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let data = try encoder.encode(trip())
    let object = try json(data)
    let text = "1970-01-02T00:00:00Z"
    expectTrue(object["startedAt"] as? String == text && object["endedAt"] as? String == text)
    expectEqual(object["allDates"] as? [String], [text])
    expectEqual((object["someDates"] as? [Any])?.first as? String, text)
    expectEqual(object["dateSet"] as? [String], [text])
    expectEqual(object["datesByName"] as? [String: String], ["firstDay": text])
    expectEqual((object["firstStop"] as? [String: Any])?["arrivedAt"] as? String, text)
    expectEqual((object["nextTrip"] as? [String: Any])?["startedAt"] as? String, text)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    expectSame(try decoder.decode(Trip.self, from: data), trip())
  }

  @Test func `Other strategies for dates hold as well`() throws {
    let strategies: [(JSONEncoder.DateEncodingStrategy, JSONDecoder.DateDecodingStrategy)] = [
      (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
      (.millisecondsSince1970, .millisecondsSince1970),
      (
        .custom { date, encoder in
          var container = encoder.singleValueContainer()
          try container.encode("day \(Int(date.timeIntervalSince1970 / 86_400))")
        },
        .custom { decoder in
          let text = try decoder.singleValueContainer().decode(String.self)
          return Date(timeIntervalSince1970: Double(text.dropFirst(4))! * 86_400)
        }
      ),
    ]
    let first: [any Equatable & Sendable] = [86_400 - 978_307_200, 86_400, 86_400_000, "day 1"]
    for (index, (encoding, decoding)) in strategies.enumerated() {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = encoding
      let data = try encoder.encode(trip())
      expectEqual("\(try json(data)["startedAt"] ?? "nothing")", "\(first[index])")
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = decoding
      expectSame(try decoder.decode(Trip.self, from: data), trip())
    }
  }

  @Test func `Data is base64, bytes, or what the strategy says`() throws {
    let plain = try JSONEncoder().encode(trip())
    try expectEqual(json(plain)["rawBytes"] as? String, "AQID")
    try expectEqual(json(plain)["byteList"] as? [String], ["BQY="])
    expectSame(try JSONDecoder().decode(Trip.self, from: plain), trip())
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .deferredToData
    let bytes = try encoder.encode(trip())
    try expectEqual(json(bytes)["rawBytes"] as? [Int], [1, 2, 3])
    try expectEqual(json(bytes)["moreBytes"] as? [Int], [4])
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .deferredToData
    expectSame(try decoder.decode(Trip.self, from: bytes), trip())
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    try expectEqual(json(try encoder.encode(trip()))["rawBytes"] as? Int, 3)
  }

  @Test func `Keys of properties are converted, and keys of maps are not`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(trip())
    let object = try json(data)
    expectTrue(object["started_at"] != nil && object["startedAt"] == nil)
    expectEqual((object["dates_by_name"] as? [String: Any])?.keys.first, "firstDay")
    expectTrue((object["first_stop"] as? [String: Any])?["arrived_at"] != nil)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    expectSame(try decoder.decode(Trip.self, from: data), trip())
  }

  @Test func `Numbers that JSON lacks are written as the strategy says`() throws {
    let odd = trip()
    odd.speed = .infinity
    odd.speeds.append(-.infinity)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(odd) }
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let data = try encoder.encode(odd)
    try expectEqual(json(data)["speed"] as? String, "inf")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let read = try decoder.decode(Trip.self, from: data)
    expectTrue(read.speed == .infinity && Array(read.speeds) == [2.5, -.infinity])
  }

  @Test func `Property lists keep dates and data as they are`() throws {
    let data = try PropertyListEncoder().encode(trip())
    expectSame(try PropertyListDecoder().decode(Trip.self, from: data), trip())
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    expectEqual((list as? [String: Any])?["startedAt"] as? Date, Self.day)
    expectEqual((list as? [String: Any])?["rawBytes"] as? Data, Data([1, 2, 3]))
  }
}
