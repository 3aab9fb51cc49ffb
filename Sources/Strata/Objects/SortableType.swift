import StrataStorage

/// A type whose values have an order by which results can be sorted.
public protocol SortableType {}
