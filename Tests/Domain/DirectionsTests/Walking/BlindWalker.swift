import Events
import Foundation
import Geometry
import SeededRandomness
import Site

/// A traveller who can't see and has only the English words of a route.
///
/// Every length that he paces is wrong by up to 10 %, every turn by up to 12 degrees. Walls stop
/// him, and he can follow them with a hand. He finds a door, an opening or stairs where his cane
/// touches them, but can't read what is behind. He counts openings and junctions.
struct BlindWalker {
    static let lengthError = 0.10
    static let turnErrorDegrees = 12.0
    /// Metres from a wall at which the cane still finds an opening.
    static let reachMetres = 3.0
    /// Metres that he searches to both sides of where a thing should be.
    static let searchMetres = 4.0
    /// Two openings nearer to each other are one to his cane.
    static let samePlaceMetres = 0.5
    /// A way is at his back, and not counted, within this many degrees.
    static let backDegrees = 10.0

    let world: TouchWorld
    var random: SeededRandom
    var floor: FloorID?
    var point: Point
    var room: RoomID?
    var heading: Double?
    /// The connection that he came by last.
    var came: Int?
    /// The thing that he has found and stands at.
    var found: TouchWorld.Stop?
    var liftDoor: Point?
    /// The number of the way to take, and whether he counts from the left.
    var choice: (number: Int, isFromLeft: Bool)?
    /// The hour of the clock at which the way to follow leaves.
    var hourOfChoice: Double?
    var failure: String?
    var log: [String] = []

    /// The part of his errors that he makes: 0 for none.
    let share: Double

    init(
        _ world: TouchWorld, in room: RoomID?, floor: FloorID?, at point: Point, seed: Int,
        errors share: Double = 1
    ) {
        self.world = world
        self.share = share
        (self.room, self.floor, self.point) = (room, floor, point)
        random = SeededRandom(seed: seed)
    }

    /// Does what the texts say, one after the other, until something can't be done.
    mutating func follow(_ texts: [String]) {
        for text in texts where failure == nil {
            for sentence in Self.sentences(text) where failure == nil {
                if !act(sentence) { failure = failure ?? sentence }
                log.append(
                    "\(sentence)  => \(room?.text ?? "-") \(floor?.text ?? "out") "
                        + "(\(Int(point.x)), \(Int(point.y))) \(failure == nil ? "" : "FAILED")")
            }
        }
    }

    static func sentences(_ text: String) -> [String] {
        text.components(separatedBy: ". ").map {
            $0.hasSuffix(".") ? String($0.dropLast()) : $0
        }
    }

    // MARK: Words

    mutating func act(_ sentence: String) -> Bool {
        if let rest = Self.after("You are here: ", sentence) { return !rest.isEmpty }
        let facts = ["There ", "Careful:", "You have arrived", "The door opens ", "Underfoot: "]
        if facts.contains(where: sentence.hasPrefix) { return true }
        // Where a wall bars the way the hand feels it: it only has to be one.
        if let words = Self.match(#"On the way, after (.*), there is a wall ahead: .*"#, sentence) {
            return metres(words[0]) != nil
        }
        if let thing = Self.after("Find a wall, and follow it to ", sentence) {
            return followAnyWall(to: Self.thing(thing))
        }
        if let words = Self.match(#"With a compass, face ([a-z-]+)(.*)"#, sentence) {
            let points = [
                "north", "north-east", "east", "south-east", "south", "south-west", "west",
                "north-west",
            ]
            guard let index = points.firstIndex(of: words[0]) else { return false }
            heading = Double(index) * 45 - compassOffset + turnError
            return go(words[1], hour: 12)
        }
        if sentence.hasPrefix("Take "), !sentence.contains(" way from the ") {
            return ride(sentence)
        }
        if sentence.hasPrefix("Leave the lift") { return leaveLift(sentence) }
        if sentence.hasPrefix("Go through ") { return pass() }
        let clause = Self.match(#"With .* behind you, (.*)"#, sentence)?[0] ?? sentence
        return walk(clause.prefix(1).lowercased() + clause.dropFirst())
    }

    /// The site's north is this many degrees from the frame's.
    var compassOffset = 0.0

    mutating func walk(_ clause: String) -> Bool {
        if let words = Self.match(
            #"(?:turn (?:left|right) and )?follow the wall on your (left|right)(.*)"#, clause)
        {
            return followWall(isRight: words[0] == "right", words[1])
        }
        // The hand at the wall tells the same as the turn.
        if clause == "turn left" || clause == "turn right" { return true }
        if let words = Self.match(#"cross to the wall opposite(.*)"#, clause) {
            return cross(metres(words[0]))
        }
        if let words = Self.match(#"turn (round|to (\d+) o'clock)( and walk.*)?"#, clause) {
            guard let hour = words[0] == "round" ? 6 : Double(words[1]) else { return false }
            if !words[2].isEmpty { return go(words[2], hour: hour) }
            hourOfChoice = hour
            return true
        }
        if let words = Self.match(
            #"take the ([a-z0-9]+) way from the (left|right), at (\d+) o'clock"#, clause)
        {
            let numbers = ["first", "second", "third", "fourth", "fifth", "sixth"]
            let number =
                numbers.firstIndex(of: words[0]).map { $0 + 1 } ?? Int(words[0].dropLast(2))
            guard let number, let hour = Double(words[2]) else { return false }
            (choice, hourOfChoice) = ((number, words[1] == "left"), hour)
            return true
        }
        if let hour = hourOfChoice, clause.hasPrefix("follow ") {
            defer { (choice, hourOfChoice) = (nil, nil) }
            return go(" and \(clause)", hour: hour)
        }
        if clause.hasPrefix("walk") { return go(" and \(clause)", hour: 12) }
        if let words = Self.match(#"go straight on along (.*)"#, clause) {
            return go(" and follow \(words[0])", hour: 12)
        }
        return false
    }

    mutating func go(_ words: String, hour: Double) -> Bool {
        let thing = Self.match(#".*to ([^,]*)"#, words).map { Self.thing($0[0]) } ?? ""
        if words.hasPrefix(" and follow") {
            let passed = Self.match(#".*past (\d+) junctions?.*"#, words).flatMap { Int($0[0]) }
            return followPath(hour, metres(words), passed ?? 0, to: thing)
        }
        if words.hasSuffix("to the wall") { return cross(metres(words)) }
        return ahead(hour, metres(words), to: thing)
    }

    static func after(_ start: String, _ sentence: String) -> String? {
        sentence.hasPrefix(start) ? String(sentence.dropFirst(start.count)) : nil
    }

    /// The groups of a pattern that the whole text has; nil if it has another form.
    static func match(_ pattern: String, _ text: String) -> [String]? {
        guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))$") else {
            return nil
        }
        let whole = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
        return (1..<match.numberOfRanges).map { index in
            Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
        }
    }

    /// The thing that words such as "the only door" mean to a cane.
    static func thing(_ words: String) -> String {
        let known = [
            "next junction", "door", "opening", "stairs", "escalator", "lift", "ramp", "end",
        ]
        let words = words.replacingOccurrences(of: "only ", with: "")
        return known.first { words == "the \($0)" || words == "the next \($0)" } ?? "room"
    }

    func metres(_ words: String) -> Double? {
        if let found = Self.match(#".*?([\d.]+) metres?.*"#, words) { return Double(found[0]) }
        return Self.match(#".*?([\d.]+) km.*"#, words).flatMap { Double($0[0]) }.map { $0 * 1_000 }
    }

    // MARK: Errors

    var turnError: Double {
        mutating get {
            let most = Self.turnErrorDegrees
            return share * Double.random(in: -most...most, using: &random)
        }
    }

    /// The factor by which he misjudges the lengths of one walk.
    mutating func pace() -> Double {
        1 + share * Double.random(in: -Self.lengthError...Self.lengthError, using: &random)
    }
}
