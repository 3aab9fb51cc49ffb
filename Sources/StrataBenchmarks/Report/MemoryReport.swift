/// The most memory that this library's side of a case takes.
struct MemoryReport: Encodable {
  let rows: Int
  let megabytes: Double
}
