/// Sentences about free computers and rooms, in one language.
public struct AvailabilityWords: Sendable {
    /// The BCP 47 tag of the language.
    public let code: String
    let none: String
    let one: String
    /// `#` stands for the number, `@` for all computers.
    let some: String
    let someOf: String
    let notCounted: String
    /// `#` stands for the time.
    let unknown: String

    /// The words in the language, or else in English.
    public static func words(in language: String?) -> AvailabilityWords {
        switch language?.prefix(while: { $0 != "-" }).lowercased() {
        case "cy": welsh
        case "de": german
        default: english
        }
    }

    /// One sentence about the free computers.
    ///
    /// - Parameter clock: the time since which the number is unknown, as the building's clocks show
    ///   it; with the date if that is not today.
    public func sentence(_ count: ComputerCount, clock: String) -> String {
        switch count.state {
        case .notCounted: return notCounted
        case .unknown: return unknown.replacing("#", with: clock)
        case .noneFree: return none
        case .free(let free):
            if let total = count.total, total >= free {
                return someOf.replacing("#", with: "\(free)").replacing("@", with: "\(total)")
            }
            return free == 1 ? one : some.replacing("#", with: "\(free)")
        }
    }

    static let english = AvailabilityWords(
        code: "en", none: "No computers are available.", one: "1 computer is available.",
        some: "# computers are available.", someOf: "Available computers: # of @.",
        notCounted: "Nobody counts the computers of this room.", unknown: "Unknown since #.")

    /// Welsh nouns change after numbers, so the number stands after a colon.
    static let welsh = AvailabilityWords(
        code: "cy", none: "Nid oes cyfrifiaduron ar gael.", one: "Cyfrifiaduron ar gael: 1.",
        some: "Cyfrifiaduron ar gael: #.", someOf: "Cyfrifiaduron ar gael: # o @.",
        notCounted: "Nid oes neb yn cyfrif cyfrifiaduron yr ystafell hon.",
        unknown: "Anhysbys ers #.")

    static let german = AvailabilityWords(
        code: "de", none: "Kein Computer ist frei.", one: "1 Computer ist frei.",
        some: "# Computer sind frei.", someOf: "Freie Computer: # von @.",
        notCounted: "Die Computer dieses Raums zählt niemand.", unknown: "Unbekannt seit #.")
}
