import Privacy

/// The table of places that hold data about people.
enum PersonalDataTable {
    static var text: String {
        let rows = PersonalData.all.map {
            [$0.place.text, $0.holds, $0.purpose, $0.until, $0.erasure]
        }
        let table = DescribedTable.markdown(
            ["where", "what", "why", "until", "after an erasure"], rows)
        return "\n\(table)\n"
    }
}
