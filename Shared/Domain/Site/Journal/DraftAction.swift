/// The effect of an edit of a draft, as the journal names it.
public enum DraftAction: String, Hashable, Sendable, CaseIterable {
    /// Adds the record, or replaces it.
    case put
    /// Changes members of the record, or of the site itself.
    case patch
    case remove
    /// Discards the surveys of a place.
    case clear
    /// Joins locations by walks.
    case link
    /// Merges a file of another program.
    case importing = "import"
    /// Replaces the whole draft.
    case replace
    /// Takes back an earlier edit. Undone itself, it is the redo.
    case undo
}
