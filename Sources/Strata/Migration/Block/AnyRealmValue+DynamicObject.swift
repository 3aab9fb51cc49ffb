extension AnyRealmValue {
  /// The object, in a migration block.
  public var dynamicObject: DynamicObject? { rawValue as? DynamicObject }
}
