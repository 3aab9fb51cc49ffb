#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  extension View {
    /// Adds a search field, and shows only the objects whose property contains the typed text.
    ///
    /// ```swift
    /// List { ForEach(people) { PersonRow(person: $0) } }
    ///   .searchable(text: $text, collection: $people, keyPath: \.name)
    /// ```
    /// Case is ignored. The search is an additional condition.
    /// - Parameters:
    ///   - text: The typed text. If it is empty, all objects are shown.
    ///   - collection: The objects to search: `$people`.
    ///   - keyPath: The property.
    ///   - placement: The place of the field.
    ///   - prompt: The text of an empty field.
    public func searchable<ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil
    ) -> some View {
      searchable(text: text, placement: placement, prompt: prompt)
        .onChange(of: text.wrappedValue, initial: true) { _, text in
          collection.search(text, in: keyPath)
        }
    }

    /// Adds a search field with suggestions.
    ///
    /// ```swift
    /// .searchable(text: $text, collection: $people, keyPath: \.name) {
    ///   ForEach(people) { Text($0.name).searchCompletion($0.name) }
    /// }
    /// ```
    /// - Parameters:
    ///   - text: The typed text. If it is empty, all objects are shown.
    ///   - collection: The objects to search: `$people`.
    ///   - keyPath: The property.
    ///   - placement: The place of the field.
    ///   - prompt: The text of an empty field.
    ///   - suggestions: The suggestions while the user types.
    public func searchable<ResultType: ObjectBase, Suggestions: View>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil, @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt
      ).searchSuggestions(suggestions)
    }

    /// Adds a search field with suggestions, and a localized prompt.
    public func searchable<ResultType: ObjectBase, Suggestions: View>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: LocalizedStringKey, @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement,
        prompt: Text(prompt), suggestions: suggestions)
    }

    /// Adds a search field with a localized prompt.
    public func searchable<ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: LocalizedStringKey
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement,
        prompt: Text(prompt))
    }

    /// Adds a search field for sections. Sections without matching objects aren't shown.
    ///
    /// - Parameters:
    ///   - text: The typed text. If it is empty, all objects are shown.
    ///   - collection: The objects to search: `$people`.
    ///   - keyPath: The property.
    ///   - placement: The place of the field.
    ///   - prompt: The text of an empty field.
    public func searchable<Key: Hashable, ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedSectionedResults<Key, ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil
    ) -> some View {
      searchable(text: text, placement: placement, prompt: prompt)
        .onChange(of: text.wrappedValue, initial: true) { _, text in
          collection.search(text, in: keyPath)
        }
    }
  }
#endif
