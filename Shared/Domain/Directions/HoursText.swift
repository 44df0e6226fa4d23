extension DirectionLanguages {
    /// Opening hours as people say them. Text that can't be parsed is returned unchanged.
    ///
    /// - Parameters:
    ///   - hours: a value of OpenStreetMap's key `opening_hours`.
    ///   - tags: BCP 47 tags of the reader's languages, the preferred one first.
    public static func openingHours(_ hours: String, in tags: [String]) -> String {
        let words =
            switch matching(tags).code {
            case "cy": Welsh.hours
            case "de": German.hours
            case "ru": Russian.hours
            default: English.hours
            }
        return spokenHours(hours, words)
    }
}
