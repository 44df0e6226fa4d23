import HTTP
import ServiceHost
import Testing
import Wire

@Suite("The table of problems") struct ProblemTableTests {
    @Test("A row is its statuses, its place, its code and its advice")
    func rows() {
        let row: ProblemRow = "422 404 letter floor-unknown: name another: or none"
        #expect(row.status == 422)
        #expect(row.otherStatus == 404)
        #expect(row.place == .letter)
        #expect(row.code == "floor-unknown")
        #expect(row.advice == "name another: or none")
        let printed: ProblemRow = "apply record-gone: see it"
        #expect(!printed.isAnswered)
        #expect(printed.place == .apply)
    }

    @Test("Every row is well formed, and no code stands twice")
    func wellFormed() {
        for code in ProblemCode.allCases {
            let row = code.rawValue
            #expect(row.code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(row)")
            #expect(!row.advice.isEmpty && row.advice.first != " ", "\(row)")
            #expect(row.isAnswered || row.place != nil, "\(row)")
            #expect((400..<600).contains(row.status), "\(row)")
            #expect(row.otherStatus.map { (400..<600).contains($0) } != false, "\(row)")
        }
        #expect(Set(ProblemCode.allCases.map(\.text)).count == ProblemCode.allCases.count)
    }

    @Test("The server's own answers are in the table too, with the same status")
    func serverProblems() {
        let table = Dictionary(
            ProblemCode.allCases.map { ($0.text, $0.rawValue.status) },
            uniquingKeysWith: { first, _ in first })
        for problem in ServerProblem.allCases {
            #expect(table[problem.rawValue] == problem.status, "\(problem.rawValue)")
        }
    }

    @Test("A code with two statuses answers with the first, or with the other on request")
    func otherStatus() {
        #expect(Problem(.floorUnknown, "").status == 422)
        #expect(Problem(other: .floorUnknown, "").status == 404)
        #expect(Problem(other: .siteUnknown, "").status == 404)
    }

    @Test("A fault of a body answers with its own code, and its place in the detail")
    func faults() {
        let problem = Problem(WireFault(.rssiOutOfRange, path: "wifi[0].rssi", "too loud"))
        #expect(problem.status == 400)
        #expect(problem.code == "rssi-out-of-range")
        #expect(problem.detail == "wifi[0].rssi: too loud")
    }
}
