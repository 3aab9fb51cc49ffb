extension SectionedResults {
  public func _confined() -> _Confined? {
    let key = keys.key
    return keys.results._confined()?.map { SectionedResults(SectionKeys($0, key: key)) }
  }
}

extension ResultsSection {
  public func _confined() -> _Confined? {
    let (key, value) = (keys.key, self.key)
    return keys.results._confined()?.map { ResultsSection(SectionKeys($0, key: key), value) }
  }
}
