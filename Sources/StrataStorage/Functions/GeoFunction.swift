import GRDBSQLite
import StrataQuery

/// The function that tells whether a point is in an area: `strata_within(longitude, latitude,
/// area)`.
///
/// The area is read from its text once for each statement, and kept with it.
enum GeoFunction {
  private final class Region: Sendable {
    let region: GeoRegion
    init(_ region: GeoRegion) { self.region = region }
  }

  static func add(to connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, "strata_within", 3, QueryFunctions.flags, nil,
      { context, _, values in
        guard let context, let arguments = SQLArguments(values), !arguments.isNull(0),
          !arguments.isNull(1), let region = GeoFunction.region(context, arguments)
        else { return sqlite3_result_null(context) }
        context.returnBool(
          region.contains(
            longitude: sqlite3_value_double(arguments[0]),
            latitude: sqlite3_value_double(arguments[1])))
      }, nil, nil, nil)
  }

  private static func region(_ context: OpaquePointer, _ arguments: SQLArguments) -> GeoRegion? {
    if let known = sqlite3_get_auxdata(context, 2) {
      return Unmanaged<Region>.fromOpaque(known).takeUnretainedValue().region
    }
    guard let shape = GeoShape(text: arguments.text(2)) else { return nil }
    let region = Region(GeoRegion(shape))
    // SQLite may release it at once.
    sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(region).toOpaque()) {
      if let region = $0 { Unmanaged<Region>.fromOpaque(region).release() }
    }
    return region.region
  }
}
