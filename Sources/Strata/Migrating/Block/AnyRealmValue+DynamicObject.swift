extension AnyRealmValue {
  /// The object, whatever its class is; nil for a value.
  public var dynamicObject: DynamicObject? {
    (rawValue as? DynamicObject) ?? (rawValue as? ObjectBase).map { DynamicObject(showing: $0) }
  }
}
