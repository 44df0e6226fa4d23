import Testing

@testable import Directions

@Suite("Words that nobody would say") struct WordFaultsTests {
    private static let seeds = [17, 18, 19]

    @Test("No line of the routes has a fault that a rule finds", arguments: ReadSite.names)
    func routes(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        let read = ReadRoutes(site: site)
        for entry in Self.seeds.flatMap({ read.drawn(seed: $0) }) {
            for language in DirectionLanguages.all {
                let rules = WordFaults(language: language.code)
                let lines = read.lines(entry.drawn, language)
                for line in lines {
                    let faults = rules.faults(line)
                    #expect(faults.isEmpty, "\(faults): \(line)")
                }
                if language.code == "en" { #expect(!WordFaults.passesItsEnd(lines), "\(lines)") }
            }
        }
    }

    @Test(
        "No step of the walks has one, and each warns before it is dangerous",
        arguments: ReadSite.names)
    func walks(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        for seed in 0..<24 {
            let walk = try #require(BlindWalk(site, seed: seed), "seed \(seed)")
            for language in DirectionLanguages.all {
                let rules = WordFaults(language: language.code)
                let steps = walk.spoken(site, language).map {
                    (
                        text: $0.text, announced: $0.announcedText,
                        announcements: $0.announcements.map(\.text)
                    )
                }
                for text in steps.flatMap({ [$0.text, $0.announced ?? ""] + $0.announcements })
                where !text.isEmpty {
                    let faults = rules.faults(text)
                    #expect(faults.isEmpty, "\(faults): \(text)")
                }
                let faults = rules.faults(walk: steps)
                #expect(faults.isEmpty, "seed \(seed): \(faults)")
            }
        }
    }

    @Test(
        "Each rule finds a planted fault",
        arguments: [
            ("de", "Gehen Sie 4 Meter weiter weiter auf dem Weg."), ("en", "Turn left  now."),
            ("en", "Turn left .."), ("cy", "Y drws (Siop, lefel G (Llawr gwaelod))."),
            ("en", "Go to w123456."), ("en", "Walk 1 metres."), ("en", "Walk 3 metre."),
            ("en", "Leave by the door that you came in by into Hall."),
            ("en", "Take the 1st way."), ("cy", "Cerddwch 2 metr."),
            ("cy", "Heibio i 1 cyffordd."), ("cy", "Cerddwch 3 fetr."),
            ("cy", "Gyda Coridor y tu ôl i chi."), ("cy", "Trowch a ewch."),
            ("cy", "Trowch a cerddwch."), ("cy", "At y agoriad."), ("cy", "At yr drws."),
            ("de", "Nehmen Sie den 1. Weg."), ("de", "Gehen Sie 1 Meter."),
            ("de", "Die Tür, durch die Sie gekommen sind und gehen Sie."),
            ("de", "Gehen Sie durch der Tür."), ("de", "Gehen Sie zu dem Flur."),
            ("en", "Turn left"), ("en", "Careful: a glass door. Go on. Careful: a glass door."),
            (
                "en",
                Array(repeating: ["left", "right"], count: 13).flatMap { $0 }.joined(separator: " ")
                    + "."
            ),
        ])
    func planted(language: String, text: String) {
        #expect(!WordFaults(language: language).faults(text).isEmpty)
    }

    @Test("A step that tells nothing and stairs without a warning are found")
    func plantedWalks() {
        let rules = WordFaults(language: "en")
        typealias Step = (text: String, announced: String?, announcements: [String])
        let warning = "Careful: these stairs lead down."
        let stairs: Step = ("\(warning) Take the stairs.", nil, [])
        let door: Step = ("Go through the automatic glass door.", nil, [])
        func faults(_ steps: Step...) -> Int { rules.faults(walk: steps).count }
        #expect(faults(("Turn left.", nil, [])) == 1)
        #expect(faults(("Walk 2 metres to the stairs.", nil, []), stairs) == 1)
        #expect(faults(("Walk 2 metres to the door.", nil, []), door) == 1)
        // Announcements alone warn nobody who goes on by keys.
        let walk = "Walk 9 metres to the stairs."
        #expect(faults((walk, nil, [warning]), stairs) == 1)
        #expect(faults(("\(walk) \(warning)", walk, [warning]), stairs) == 0)
        #expect(faults(("\(walk) \(warning)", nil, [warning]), stairs) == 1)
        #expect(faults(("\(walk) \(warning)", walk, ["In 2 metres."]), stairs) == 1)
        #expect(
            WordFaults.passesItsEnd([
                "Walk 9 metres, passing Shop on the left.", "You have arrived: Shop, on your left.",
            ]))
    }
}
