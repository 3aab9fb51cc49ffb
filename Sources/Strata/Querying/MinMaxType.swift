import StrataStorage

/// A type whose values have a smallest and a greatest.
public protocol MinMaxType {}
