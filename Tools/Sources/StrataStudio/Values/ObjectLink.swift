/// A reference to an object: its class, and its identity.
struct ObjectLink: Hashable, Sendable {
  var className: String
  var identity: Int64
}
