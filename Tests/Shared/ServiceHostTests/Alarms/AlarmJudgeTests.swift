import Events
import Testing

@testable import ServiceHost

@Suite struct AlarmJudgeTests {
    private static let low = AlarmRule(
        "low", "free", .below(0.1), for: 5, .warning, labels: ["path"], "Low.", advice: "Mend.")
    private static let letters = AlarmRule(
        "letters", "letters_total", .grownBy(2, withinMinutes: 10), .warning, "Letters.",
        advice: "Look.")
    private static let away = AlarmRule(
        "away", AlarmRule.answering, .below(1), for: 2, .wrong, "Away.", advice: "Start.")

    private func minute(_ number: Int) -> Timestamp {
        Timestamp(microseconds: Int64(number) * 60_000_000)
    }

    private func free(_ value: Double, of path: String = "/") -> [MetricSample] {
        [
            MetricSample("up", ["service": "a"], 1),
            MetricSample("free", ["service": "a", "path": path], value),
        ]
    }

    @Test("An alarm begins once when its rule has held for long enough, and ends once")
    func once() {
        var judge = AlarmJudge(rules: [Self.low])
        var told: [(Int, Bool)] = []
        for number in 0..<30 {
            let value = (3..<15).contains(number) ? 0.05 : 0.5
            for change in judge.judge(free(value), at: minute(number)) {
                told.append((number, change.hasEnded))
                #expect(change.since == minute(3))
                #expect(change.subject.labels["path"] == "/")
            }
        }
        #expect(told.map(\.0) == [8, 15])
        #expect(told.map(\.1) == [false, true])
    }

    @Test("A rule that holds for a short time only raises nothing")
    func short() {
        var judge = AlarmJudge(rules: [Self.low])
        for number in 0..<60 {
            let value = number % 5 == 4 ? 0.5 : 0.05
            #expect(judge.judge(free(value), at: minute(number)).isEmpty)
        }
        #expect(judge.standing.isEmpty)
    }

    @Test("After a start nothing begins in the quiet time, and afterwards what still holds does")
    func quiet() {
        let old = AlarmRule("old", "free", .below(0.1), .wrong, "Old.", advice: "Mend.")
        var judge = AlarmJudge(rules: [old], quietMicroseconds: 120_000_000)
        #expect(judge.judge(free(0), at: minute(0)).isEmpty)
        #expect(judge.judge(free(0), at: minute(1)).isEmpty)
        #expect(judge.judge(free(0), at: minute(2)).map(\.since) == [minute(0)])
        #expect(judge.standing.map(\.subject.rule.name) == ["old"])
        #expect(judge.judge(free(1), at: minute(3)).map(\.hasEnded) == [true])
        #expect(judge.judge(free(0), at: minute(4)).map(\.hasEnded) == [false])
    }

    @Test("Five processes of a machine with one full disk raise one alarm")
    func machine() {
        let rule = AlarmRule(
            "low", "free", .below(0.1), .warning, labels: ["machine", "path"], isOfMachine: true,
            "Low.", advice: "Mend.")
        var judge = AlarmJudge(rules: [rule])
        func samples(_ value: Double) -> [MetricSample] {
            (0..<5).flatMap { number in
                let service = "s\(number)"
                return [
                    MetricSample("up", ["service": service], 1),
                    MetricSample(
                        "free", ["service": service, "machine": "m", "path": "/"], value),
                ]
            } + [MetricSample("free", ["service": "x", "machine": "n", "path": "/"], value)]
        }
        let began = judge.judge(samples(0), at: minute(0))
        #expect(began.map { $0.subject.labels["machine"] } == ["m", "n"])
        #expect(judge.judge(samples(1), at: minute(1)).count == 2)
    }

    @Test("Each series has an alarm of its own")
    func series() {
        var judge = AlarmJudge(rules: [Self.low])
        let both = free(0.01, of: "/a") + free(0.01, of: "/b")
        _ = judge.judge(both, at: minute(0))
        #expect(judge.judge(both, at: minute(5)).map(\.subject.labels["path"]) == ["/a", "/b"])
        let ended = judge.judge(
            free(0.01, of: "/a") + free(0.9, of: "/b"), at: minute(6))
        #expect(ended.map(\.subject.labels["path"]) == ["/b"])
        #expect(judge.standing.count == 1)
    }

    @Test("The alarms of a process that does not answer stay, and its absence is one more")
    func silence() {
        var judge = AlarmJudge(rules: [Self.low, Self.away])
        _ = judge.judge(free(0.01), at: minute(0))
        #expect(judge.judge(free(0.01), at: minute(5)).count == 1)
        let silent = [MetricSample("up", ["service": "a"], 0)]
        #expect(judge.judge(silent, at: minute(6)).isEmpty)
        #expect(judge.judge(silent, at: minute(8)).map(\.subject.rule.name) == ["away"])
        #expect(judge.standing.count == 2)
        let back = judge.judge(free(0.5), at: minute(9))
        #expect(back.map(\.subject.rule.name) == ["low", "away"])
        #expect(back.map(\.hasEnded) == [true, true])
    }

    @Test("A counter's growth raises an alarm, its size and a restart do not")
    func growth() {
        var judge = AlarmJudge(rules: [Self.letters])
        func round(_ count: Double, at number: Int) -> [Bool] {
            let samples = [
                MetricSample("up", ["service": "a"], 1),
                MetricSample("letters_total", ["service": "a"], count),
            ]
            return judge.judge(samples, at: minute(number)).map(\.hasEnded)
        }
        #expect(round(500, at: 0).isEmpty)
        #expect(round(502, at: 1).isEmpty)
        #expect(round(503, at: 2) == [false])
        #expect(round(503, at: 9).isEmpty)
        #expect(round(503, at: 13) == [true])
        // The process was restarted, and has set two records aside since.
        #expect(round(2, at: 14).isEmpty)
        #expect(round(3, at: 15) == [false])
    }

    @Test("Alarms begin as usual after the clock was set back, and counts of before are forgotten")
    func setBack() {
        let old = AlarmRule("old", "free", .below(0.1), .wrong, "Old.", advice: "Mend.")
        var judge = AlarmJudge(
            rules: [old, Self.low, Self.letters], quietMicroseconds: 120_000_000)
        func round(_ value: Double, letters: Double, at number: Int) -> [String] {
            let count = MetricSample("letters_total", ["service": "a"], letters)
            return judge.judge(free(value) + [count], at: minute(number))
                .map(\.subject.rule.name)
        }
        #expect(round(0.5, letters: 1, at: 100_000) == [])
        #expect(round(0.05, letters: 1, at: 10) == [], "the quiet time begins again")
        #expect(round(0.05, letters: 4, at: 12) == ["old", "letters"])
        #expect(judge.standing.map(\.since) == [minute(10), minute(12)])
        #expect(round(0.05, letters: 4, at: 15) == ["low"])
        #expect(round(0.05, letters: 4, at: 30) == ["letters"], "it has ended")
    }

    @Test("Values that are no number or infinite raise nothing")
    func noNumber() {
        var judge = AlarmJudge(rules: [Self.low])
        for number in 0..<10 {
            #expect(judge.judge(free(.nan), at: minute(number)).isEmpty)
            #expect(judge.judge(free(.infinity), at: minute(number)).isEmpty)
        }
    }
}
