import Strata

private enum Places {
  static let ring = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)]
  static var points: [GeoPoint] { ring.map { GeoPoint($0.0, $0.1)! } }
}

extension APIUses {
  func places() {
    use("Query", "geoWithin(_:)") { things in
      let box = GeoBox(bottomLeft: (1, 2), topRight: (3, 4))!
      let results: (Query<Person>) -> Query<Bool> = { $0.address.geoWithin(box) }
      _ = results
    }
    use("Places", "GeoPoint.init(latitude:longitude:altitude:)") { _ in
      _ = GeoPoint(latitude: 1, longitude: 2, altitude: 3)!
    }
    use("Places", "GeoPoint.init(_:_:_:)") { _ in _ = GeoPoint(1, 2)! }
    use("Places", "GeoPoint.latitude") { _ in _ = GeoPoint(1, 2)!.latitude }
    use("Places", "GeoPoint.longitude") { _ in _ = GeoPoint(1, 2)!.longitude }
    use("Places", "GeoBox.init(bottomLeft:topRight:)") { _ in
      _ = GeoBox(bottomLeft: GeoPoint(1, 2)!, topRight: GeoPoint(3, 4)!)
    }
    use("Places", "GeoBox.init(bottomLeft:topRight:) of pairs") { _ in
      _ = GeoBox(bottomLeft: (1, 2), topRight: (3, 4))!
    }
    use("Places", "GeoCircle.init(center:radius:)") { _ in
      _ = GeoCircle(center: GeoPoint(1, 2)!, radius: .kilometers(3)!)
    }
    use("Places", "GeoCircle.init(center:radius:) of a pair") { _ in
      _ = GeoCircle(center: (1, 2), radius: .miles(3)!)!
    }
    use("Places", "GeoCircle.init(center:radiusInRadians:)") { _ in
      _ = GeoCircle(center: GeoPoint(1, 2)!, radiusInRadians: 0.1)!
    }
    use("Places", "GeoCircle.init(center:radiusInRadians:) of a pair") { _ in
      _ = GeoCircle(center: (1, 2), radiusInRadians: 0.1)!
    }
    use("Places", "GeoPolygon.init(outerRing:holes:)") { _ in
      _ = GeoPolygon(outerRing: Places.points, holes: [Places.points])!
    }
    use("Places", "GeoPolygon.init(outerRing:holes:) of pairs") { _ in
      _ = GeoPolygon(outerRing: Places.ring, holes: [Places.ring])!
    }
    use("Places", "GeoPolygon.init(outerRing:holes:) of pairs, one hole after the other") { _ in
      _ = GeoPolygon(outerRing: Places.ring, holes: Places.ring, Places.ring)!
    }
    use("Places", "Distance.kilometers(_:)") { _ in _ = Distance.kilometers(1)! }
    use("Places", "Distance.miles(_:)") { _ in _ = Distance.miles(1)! }
    use("Places", "Distance.degrees(_:)") { _ in _ = Distance.degrees(1)! }
    use("Places", "Distance.radians(_:)") { _ in _ = Distance.radians(1)!.radians }
    use("Places", "Distance.asKilometers()") { _ in _ = Distance.miles(1)!.asKilometers() }
    use("Places", "Distance.asMiles()") { _ in _ = Distance.kilometers(1)!.asMiles() }
    use("Places", "Distance.asDegrees()") { _ in _ = Distance.radians(1)!.asDegrees() }
  }
}
