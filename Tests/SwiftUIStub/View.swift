@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A view without a body, which a screen shows itself.
@MainActor
public protocol PlainView: View where Body == Never {
  func draw(on canvas: inout Canvas)
}

extension PlainView {
  public var body: Never { fatalError("'\(Self.self)' has no body.") }
}

extension Never: View {
  public var body: Never { fatalError("There is no such view.") }
}

@MainActor @resultBuilder
public enum ViewBuilder {
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }

  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(.first(first))
  }

  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(.second(second))
  }
}

public struct TupleView<each Content: View>: PlainView {
  private let content: (repeat each Content)

  init(_ content: repeat each Content) { self.content = (repeat each content) }

  public func draw(on canvas: inout Canvas) {
    var number = 0
    func add(_ view: some View, _ canvas: inout Canvas) {
      canvas.draw(view, at: "\(number)")
      number += 1
    }
    repeat add(each content, &canvas)
  }
}

public struct _ConditionalContent<First: View, Second: View>: PlainView {
  enum Content {
    case first(First)
    case second(Second)
  }

  private let content: Content

  init(_ content: Content) { self.content = content }

  public func draw(on canvas: inout Canvas) {
    switch content {
    case .first(let view): canvas.draw(view, at: "first")
    case .second(let view): canvas.draw(view, at: "second")
    }
  }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("A view that may be missing has no body.") }
}

extension Optional: PlainView where Wrapped: View {
  public func draw(on canvas: inout Canvas) {
    if let self { canvas.draw(self, at: "some") }
  }
}

public struct EmptyView: PlainView {
  public init() {}
  public func draw(on canvas: inout Canvas) {}
}

/// A view, and what a modifier adds to it.
struct ModifiedView<Content: View>: PlainView {
  let content: Content
  let add: @MainActor (Content, inout Canvas) -> Void

  func draw(on canvas: inout Canvas) { add(content, &canvas) }
}
