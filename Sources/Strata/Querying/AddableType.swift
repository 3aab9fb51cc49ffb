import StrataStorage

/// A type whose values can be added up.
public protocol AddableType {}
