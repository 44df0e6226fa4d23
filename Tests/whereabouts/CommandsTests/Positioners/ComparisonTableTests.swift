import JSON
import Testing

@testable import Commands

@Suite("The table of compared positioners") struct ComparisonTableTests {
    private static func lines(_ json: String) throws -> [String] {
        try JSONParser.read(Array(json.utf8)) { ComparisonTable($0).lines }
    }

    private static func row(_ name: String, _ verdict: String? = nil) -> String {
        let against = verdict.map {
            #","difference":{"mean":0.5,"lower95":0.25,"upper95":0.75},"verdict":"\#($0)""#
        }
        let isAuto = name == "auto"
        return #"{"positioner":"\#(name)","remembers":\#(isAuto),"followsChoice":\#(isAuto),"#
            + #""trials":300,"lost":0,"#
            + #""mean":2.5,"median":2,"p95":6,"floorHit":0.99,"within68":0.6,"within95":0.93,"#
            + #""located":1\#(against ?? "")}"#
    }

    private static func answer(
        promote: String = "null", surveys: [String], taps: [String]? = nil, state: String = "ready",
        untried: [String] = ["mine"]
    ) -> String {
        let missing = untried.map {
            #"{"positioner":"\#($0)","reason":"program","detail":"A program."}"#
        }
        let byTaps = taps.map {
            #"{"scans":9,"places":8,"authors":7,"positioners":[\#($0.joined(separator: ","))],"#
                + #""untried":[]}"#
        }
        return #"{"site":"museum","state":"\#(state)","detail":"Later.","comparison":{"#
            + #""radioMapVersion":7,"revision":2,"served":"auto","promote":\#(promote),"#
            + #""bySurveys":{"scans":300,"places":80,"disturbed":true,"#
            + #""positioners":[\#(surveys.joined(separator: ","))],"#
            + #""untried":[\#(missing.joined(separator: ","))]},"#
            + #""byTaps":\#(byTaps ?? "null")}}"#
    }

    @Test("It has a line for each positioner, those that were not tried, and what to do at the end")
    func whole() throws {
        let lines = try Self.lines(
            Self.answer(surveys: [Self.row("auto"), Self.row("knn", "worse")]))
        #expect(
            lines == [
                "by surveys: 300 scans at 80 places, located without the surveys of their places",
                "             mean m median m    p95 m    floor     room   in r68   in r9"
                    + "5  located  against auto",
                "  auto *       2.50     2.00     6.00   99.0 %        -   60.0 %   93.0 "
                    + "%  100.0 %",
                "  knn          2.50     2.00     6.00   99.0 %        -   60.0 %   93.0 "
                    + "%  100.0 %  worse, by 0.50 m (0.25 to 0.75)",
                "  mine: not tried. A program.",
                "by taps: there are none",
                "* uses scans in sequence. Here each scan is the first of its device",
                "auto: led by a choice that was made with these surveys, which favours it here",
                "keep auto: those that were tried are worse; mine was not tried",
            ], "\(lines.joined(separator: "\n"))")
    }

    @Test("The last line is to promote the better one, with a warning where taps say otherwise")
    func promote() throws {
        let surveys = [Self.row("auto"), Self.row("knn", "better")]
        for (verdict, advice) in [
            ("better", "promote knn"),
            ("worse", "promote knn, but by taps it is worse: look first"),
        ] {
            let lines = try Self.lines(
                Self.answer(
                    promote: #""knn""#, surveys: surveys,
                    taps: [Self.row("auto"), Self.row("knn", verdict)]))
            #expect(lines.last == advice)
            #expect(lines.contains { $0.hasPrefix("by taps: 9 scans at 8 places, of 7 people") })
        }
    }

    @Test("Without a reason to change, the served one is to be kept, and the line says why")
    func keep() throws {
        let worse = [Self.row("auto"), Self.row("knn", "worse")]
        let undecided = [Self.row("auto"), Self.row("knn", "undecided")]
        for (surveys, untried, reason) in [
            (worse, [], "those beside it are worse"),
            (undecided, [], "none beside it is better beyond chance"),
            (
                undecided, ["mine", "hall"],
                "none that was tried is better beyond chance; mine and hall were not tried"
            ),
            ([Self.row("auto")], ["mine"], "nothing beside it could be tried"),
            (
                [Self.row("knn")], ["auto"],
                "it can't be tried here, so nothing is compared with it"
            ),
            ([], ["auto", "mine"], "nothing could be compared"),
        ] as [([String], [String], String)] {
            let lines = try Self.lines(Self.answer(surveys: surveys, untried: untried))
            #expect(lines.last == "keep auto: \(reason)")
        }
    }

    @Test("Figures that are missing or outdated are called so, with the reason")
    func missing() throws {
        let waiting = #"{"site":"museum","state":"waiting","detail":"Later.","comparison":null}"#
        #expect(try Self.lines(waiting) == ["there are no figures yet. Later."])
        let outdated = try Self.lines(
            Self.answer(
                promote: #""knn""#, surveys: [Self.row("auto"), Self.row("knn", "better")],
                state: "outdated"))
        #expect(outdated.first == "these are figures of radio map 7 and selection 2. Later.")
        #expect(outdated.last == "wait for new figures: these are outdated")
    }

    @Test("The command asks for the figures of the site")
    func request() throws {
        let request = try PositionerRequest(["compare", "--site", "museum"])
        #expect(request.method == "GET" && request.isComparison)
        #expect(request.path == "/v1/sites/museum/positioner/comparison")
        #expect(throws: UsageFault.self) {
            try PositionerRequest(["compare", "knn", "--site", "museum"])
        }
        #expect(throws: UsageFault.self) {
            try PositionerRequest(["compare", "--site", "museum", "--beside", "knn"])
        }
    }
}
