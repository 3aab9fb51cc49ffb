import Strata

private enum Places {
  static let ring = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)]
  static var points: [GeoPoint] { ring.map { GeoPoint($0.0, $0.1)! } }
}

extension APIUses {
  func usePlaces() {
    heading = "Query"
    uses("geoWithin(_:)") {
      let box = GeoBox(bottomLeft: (1, 2), topRight: (3, 4))!
      let results: (Query<Person>) -> Query<Bool> = { $0.address.geoWithin(box) }
      _ = results
    }
    heading = "Places"
    use(
      "GeoPoint.init(latitude:longitude:altitude:)",
      GeoPoint(latitude: 1, longitude: 2, altitude: 3)!)
    use("GeoPoint.init(_:_:_:)", GeoPoint(1, 2)!)
    use("GeoPoint.latitude", GeoPoint(1, 2)!.latitude)
    use("GeoPoint.longitude", GeoPoint(1, 2)!.longitude)
    use(
      "GeoBox.init(bottomLeft:topRight:)",
      GeoBox(bottomLeft: GeoPoint(1, 2)!, topRight: GeoPoint(3, 4)!))
    use("GeoBox.init(bottomLeft:topRight:) of pairs", GeoBox(bottomLeft: (1, 2), topRight: (3, 4))!)
    use(
      "GeoCircle.init(center:radius:)", GeoCircle(center: GeoPoint(1, 2)!, radius: .kilometers(3)!))
    use("GeoCircle.init(center:radius:) of a pair", GeoCircle(center: (1, 2), radius: .miles(3)!)!)
    use(
      "GeoCircle.init(center:radiusInRadians:)",
      GeoCircle(center: GeoPoint(1, 2)!, radiusInRadians: 0.1)!)
    use(
      "GeoCircle.init(center:radiusInRadians:) of a pair",
      GeoCircle(center: (1, 2), radiusInRadians: 0.1)!)
    use(
      "GeoPolygon.init(outerRing:holes:)",
      GeoPolygon(outerRing: Places.points, holes: [Places.points])!)
    use(
      "GeoPolygon.init(outerRing:holes:) of pairs",
      GeoPolygon(outerRing: Places.ring, holes: [Places.ring])!)
    use(
      "GeoPolygon.init(outerRing:holes:) of pairs, one hole after the other",
      GeoPolygon(outerRing: Places.ring, holes: Places.ring, Places.ring)!)
    use("Distance.kilometers(_:)", Distance.kilometers(1)!)
    use("Distance.miles(_:)", Distance.miles(1)!)
    use("Distance.degrees(_:)", Distance.degrees(1)!)
    use("Distance.radians(_:)", Distance.radians(1)!.radians)
    use("Distance.asKilometers()", Distance.miles(1)!.asKilometers())
    use("Distance.asMiles()", Distance.kilometers(1)!.asMiles())
    use("Distance.asDegrees()", Distance.radians(1)!.asDegrees())
  }
}
