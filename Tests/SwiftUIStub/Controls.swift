public import Foundation

public struct LocalizedStringKey: ExpressibleByStringLiteral {
  let text: String
  public init(stringLiteral text: String) { self.text = text }
}

public struct Text: PlainView {
  let text: String

  public init(_ key: LocalizedStringKey) { text = key.text }

  @_disfavoredOverload
  public init(_ text: some StringProtocol) { self.text = String(text) }

  public func draw(on canvas: inout Canvas) { canvas.screen.texts.append(text) }
}

public struct TextField: PlainView {
  let title: String
  let text: Binding<String>

  public init(_ title: LocalizedStringKey, text: Binding<String>) {
    self.title = title.text
    self.text = text
  }

  public func draw(on canvas: inout Canvas) {
    canvas.screen.texts.append(text.wrappedValue)
    canvas.screen.fields[title, default: []].append(text)
  }
}

public struct Toggle: PlainView {
  let title: String
  let isOn: Binding<Bool>

  public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
    self.title = title.text
    self.isOn = isOn
  }

  public func draw(on canvas: inout Canvas) {
    canvas.screen.texts.append(isOn.wrappedValue ? "on" : "off")
    canvas.screen.toggles[title, default: []].append(isOn)
  }
}

public struct Button: PlainView {
  let title: String
  let action: @MainActor () -> Void

  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.title = title.text
    self.action = action
  }

  public func draw(on canvas: inout Canvas) {
    canvas.screen.buttons[title, default: []].append(action)
  }
}

public struct ProgressView: PlainView {
  let value: Double?

  public init() { value = nil }
  public init(value: Double?) { self.value = value }

  public func draw(on canvas: inout Canvas) { canvas.screen.texts.append("…") }
}

public struct List<Content: View>: PlainView {
  let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, Row> {
    content = ForEach(data, content: rowContent)
  }

  public func draw(on canvas: inout Canvas) { canvas.draw(content, at: "list") }
}

public struct Form<Content: View>: PlainView {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func draw(on canvas: inout Canvas) { canvas.draw(content, at: "form") }
}

public struct NavigationStack<Content: View>: PlainView {
  let content: Content
  public init(@ViewBuilder root: () -> Content) { content = root() }
  public func draw(on canvas: inout Canvas) { canvas.draw(content, at: "stack") }
}

/// The link shows what it leads to: a screen has only one page.
public struct NavigationLink<Label: View, Destination: View>: PlainView {
  let destination: Destination
  let label: Label

  public init(
    @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
  ) {
    self.destination = destination()
    self.label = label()
  }

  public func draw(on canvas: inout Canvas) {
    canvas.draw(label, at: "label")
    canvas.draw(destination, at: "destination")
  }
}

public struct Section<Content: View>: PlainView {
  let title: String
  let content: Content

  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.title = String(title)
    self.content = content()
  }

  public func draw(on canvas: inout Canvas) {
    canvas.screen.texts.append("[\(title)]")
    canvas.draw(content, at: "section")
  }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PlainView {
  let data: Data
  let id: KeyPath<Data.Element, ID>
  let content: (Data.Element) -> Content
  var delete: ((IndexSet) -> Void)?
  var move: ((IndexSet, Int) -> Void)?

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  public func onDelete(perform action: ((IndexSet) -> Void)?) -> ForEach {
    var copy = self
    copy.delete = action
    return copy
  }

  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> ForEach {
    var copy = self
    copy.move = action
    return copy
  }

  public func draw(on canvas: inout Canvas) {
    for element in data { canvas.draw(content(element), at: "\(element[keyPath: id])") }
    if let delete { canvas.screen.deletes.append(delete) }
    if let move { canvas.screen.moves.append(move) }
  }
}
