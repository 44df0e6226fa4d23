import Site

/// The words of a language for what hand and foot find on a way. Sentences that follow others begin
/// with a space, and are empty where there is nothing to say.
protocol TouchWords {
    /// A sentence that warns, without a space.
    static func warning(_ danger: Danger) -> String
    /// The side to which a door opens.
    static func opening(_ leaf: DoorLeaf?) -> String
    /// The number of steps.
    static func steps(_ count: Int?) -> String
    static func handrail(_ handrail: Handrail) -> String
    static func surface(_ surface: SpokenSurface) -> String
    static var tactilePaving: String { get }
    /// The ground that begins, from its words.
    static func ground(_ words: String) -> String
}

extension TouchWords {
    /// The words of a manoeuvre, with the warning before them and the facts after them.
    static func touched(_ words: String, _ manoeuvre: Manoeuvre) -> String {
        let warned = manoeuvre.danger.map { "\(warning($0)) " } ?? ""
        return warned + words + opening(manoeuvre.door?.leaf) + facts(manoeuvre.facts)
    }

    static func facts(_ facts: TouchFacts) -> String {
        let ground = facts.ground(named: surface, tactile: tactilePaving)
        return steps(facts.steps) + (facts.handrail.map(handrail) ?? "")
            + (ground.map(self.ground) ?? "")
    }
}
