/// Words on plans and in lists that say what a room is for, in the languages of the page.
enum RoomWords {
    private static let words: [(kind: String, beginnings: [String])] = [
        ("toilet", ["wc", "toilet", "toiled", "restroom", "washroom", "lavator"]),
        ("stairs", ["stair", "treppe", "grisiau"]),
        ("lift", ["lift", "elevator", "aufzug", "lifft", "fahrstuhl"]),
        ("corridor", ["corridor", "hallway", "flur", "gang", "coridor", "korridor"]),
        ("kitchen", ["kitchen", "küche", "teeküche", "cegin"]),
        ("storage", ["storage", "store", "lager", "storfa", "abstellraum"]),
    ]

    /// Nil for a name whose words say nothing.
    static func kind(_ name: String) -> String? {
        let parts = name.lowercased().split { !$0.isLetter }
        for (kind, beginnings) in words
        where parts.contains(where: { part in beginnings.contains { isForm(of: $0, part) } }) {
            return kind
        }
        return nil
    }

    /// Words may have endings, as `stairs` and `Treppenhaus` have.
    private static func isForm(of beginning: String, _ word: Substring) -> Bool {
        beginning.count <= 4
            ? word == beginning || word == beginning + "s" : word.hasPrefix(beginning)
    }
}
