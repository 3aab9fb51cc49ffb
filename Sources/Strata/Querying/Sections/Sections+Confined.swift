extension SectionedResults {
  public func _confined() -> _Confined? {
    let (key, order) = (keys.key, keys.order)
    return keys.results._confined()?.map {
      SectionedResults(SectionKeys($0, order: order, key: key))
    }
  }
}

extension ResultsSection {
  public func _confined() -> _Confined? {
    let (key, order, value) = (keys.key, keys.order, self.key)
    return keys.results._confined()?.map {
      ResultsSection(SectionKeys($0, order: order, key: key), value)
    }
  }
}
