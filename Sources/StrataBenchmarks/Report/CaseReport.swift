/// What was measured of a case, and whether it is what was expected.
struct CaseReport: Encodable {
  let name: String
  let title: String
  let sizes: [SizeReport]
  let memory: [MemoryReport]
  let verdicts: [Verdict]

  init(_ item: Case, sizes: [SizeReport], memory: [MemoryReport]) {
    name = item.name
    title = item.title
    self.sizes = sizes
    self.memory = memory
    verdicts = item.targets.compactMap { Verdict($0, sizes, memory) }
  }
}
