#if canImport(SwiftUI)
  public import Strata
  public import SwiftUI

  extension View {
    /// Shows a field for searching, and of the objects only those whose property contains what is
    /// typed.
    ///
    /// ```swift
    /// List { ForEach(people) { PersonRow(person: $0) } }
    ///   .searchable(text: $text, collection: $people, keyPath: \.name)
    /// ```
    /// Upper and lower case count as the same. It is one more condition beside those that the
    /// objects have.
    /// - Parameters:
    ///   - text: What is typed. For the empty text all objects are shown.
    ///   - collection: What is searched: `$people`.
    ///   - keyPath: The property.
    ///   - placement: Where the field is.
    ///   - prompt: What an empty field says.
    public func searchable<ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil
    ) -> some View {
      searchable(text: text, placement: placement, prompt: prompt)
        .onChange(of: text.wrappedValue, initial: true) { _, text in
          collection.search(text) { results in
            results.where {
              $0[dynamicMember: keyPath].contains(text, options: .caseInsensitive)
            }
          }
        }
    }

    /// The same with suggestions beneath the field.
    ///
    /// ```swift
    /// .searchable(text: $text, collection: $people, keyPath: \.name) {
    ///   ForEach(people) { Text($0.name).searchCompletion($0.name) }
    /// }
    /// ```
    /// - Parameters:
    ///   - text: What is typed. For the empty text all objects are shown.
    ///   - collection: What is searched: `$people`.
    ///   - keyPath: The property.
    ///   - placement: Where the field is.
    ///   - prompt: What an empty field says.
    ///   - suggestions: What is offered while one types.
    public func searchable<ResultType: ObjectBase, Suggestions: View>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil, @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt
      ).searchSuggestions(suggestions)
    }

    /// The same with suggestions, and a prompt that is translated.
    public func searchable<ResultType: ObjectBase, Suggestions: View>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: LocalizedStringKey, @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement,
        prompt: Text(prompt), suggestions: suggestions)
    }

    /// The same with a prompt that is translated.
    public func searchable<ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedResults<ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: LocalizedStringKey
    ) -> some View {
      searchable(
        text: text, collection: collection, keyPath: keyPath, placement: placement,
        prompt: Text(prompt))
    }

    /// The same for sections: those without an object that was found aren't shown.
    ///
    /// - Parameters:
    ///   - text: What is typed. For the empty text all objects are shown.
    ///   - collection: What is searched: `$people`.
    ///   - keyPath: The property.
    ///   - placement: Where the field is.
    ///   - prompt: What an empty field says.
    public func searchable<Key: Hashable, ResultType: ObjectBase>(
      text: Binding<String>, collection: ObservedSectionedResults<Key, ResultType>,
      keyPath: KeyPath<ResultType, String>, placement: SearchFieldPlacement = .automatic,
      prompt: Text? = nil
    ) -> some View {
      searchable(text: text, placement: placement, prompt: prompt)
        .onChange(of: text.wrappedValue, initial: true) { _, text in
          collection.search(text) { results in
            results.where {
              $0[dynamicMember: keyPath].contains(text, options: .caseInsensitive)
            }
          }
        }
    }
  }
#endif
