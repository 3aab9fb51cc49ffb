/// Some work that is measured, and those who do it.
///
/// All of them must leave the same rows, and the same ``Trial/answer``.
struct Case {
  /// How the command line calls it.
  let name: String
  let title: String
  let base: BaseFile
  let targets: [Target]
  /// How many things are done to a file of so many rows: what a time per row is per.
  var units: (_ rows: Int) -> Int = { $0 }
  /// This library comes first.
  let contestants: [Contestant]
}
